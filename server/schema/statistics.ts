import { bigint, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';

/**
 * Figures of the installation by day of the region's zone, added up as time passes: statistics read these
 * sums and not what was counted.
 */
export const dailyFigures = pgTable(
  'daily_figures',
  {
    day: date('day').notNull(),
    name: text('name').notNull(),
    /** Of a figure that is a distribution: the part of it; else 0. */
    bucket: integer('bucket').notNull().default(0),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.name, t.bucket] }), index('daily_figures_name').on(t.name)],
);

/** Up to when the figures are added up: one row, which also keeps two processes from adding the same. */
export const figuresCounted = pgTable('figures_counted', {
  id: integer('id').primaryKey(),
  untilAt: instantColumn('until_at').notNull(),
  /** The zone of the days; figures of another one are counted again. */
  timeZone: text('time_zone').notNull(),
});
