import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { exportStates } from '#contract/privacy/export.ts';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

/**
 * Archives of everything about a person, which lie in the file store in parts. A person has one; a row
 * without a person waits until its files are removed.
 */
export const dataExports = pgTable(
  'data_exports',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    state: text('state', { enum: exportStates }).notNull().default('preparing'),
    askedAt: instantColumn('asked_at').notNull(),
    /** When it is due to be made; while a process makes it, when another may. Null once that is over. */
    nextAt: instantColumn('next_at'),
    /** How often it was begun. Each attempt has files of its own. */
    attempts: integer('attempts').notNull().default(0),
    /** The most parts that an attempt has written, noted before each is. */
    parts: integer('parts').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    readyAt: instantColumn('ready_at'),
  },
  (t) => [
    uniqueIndex('data_exports_user').on(t.userId),
    index('data_exports_due')
      .on(t.nextAt)
      .where(sql`state = 'preparing'`),
    index('data_exports_asked').on(t.askedAt),
    index('data_exports_left')
      .on(t.id)
      .where(sql`user_id is null`),
  ],
);
