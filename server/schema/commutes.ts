import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { recurringRides } from './rides.ts';

/**
 * Commutes, drawn from people's recurring rides, their recent and open orders and their alerts: computed
 * again for a person whenever one of those has changed, and once a day. Nothing is stored only here.
 */
export const commutes = pgTable(
  'commutes',
  {
    id: uuid('id').primaryKey(),
    personId: deletedWith('person_id', () => users.id).notNull(),
    role: text('role', { enum: ['driver', 'passenger'] }).notNull(),
    /** The series it comes from; null for one that was seen in single orders. */
    recurringId: deletedWith('recurring_id', () => recurringRides.id),
    /** Areas the size of a neighborhood (`geo/rules/areas.ts`). */
    fromArea: integer('from_area').notNull(),
    toArea: integer('to_area').notNull(),
    /** The public name of an end that is an airport or lies beyond the region; else empty. */
    fromLabel: text('from_label').notNull(),
    toLabel: text('to_label').notNull(),
    /** The exact ends, which never leave the server. */
    fromLon: doublePrecision('from_lon').notNull(),
    fromLat: doublePrecision('from_lat').notNull(),
    toLon: doublePrecision('to_lon').notNull(),
    toLat: doublePrecision('to_lat').notNull(),
    driveMs: integer('drive_ms').notNull(),
    /** The driver's; for a passenger the default of a ride, should they drive one day. */
    maxDetourMs: integer('max_detour_ms').notNull(),
    /** The areas that the drive leads through. */
    corridor: integer('corridor').array().notNull(),
    /** Days of the week: bit 0 is Monday. */
    days: smallint('days').notNull(),
    /**
     * Minutes after midnight by the clocks of the departure place, and the part of the day they fall into.
     */
    minute: smallint('minute').notNull(),
    part: smallint('part').notNull(),
    timeZone: text('time_zone').notNull(),
    visibility: text('visibility', { enum: ['all users', 'all contacts', 'tags', 'private'] }).notNull(),
    tagIds: uuid('tag_ids')
      .array()
      .notNull()
      .default(sql`'{}'::uuid[]`),
    women: boolean('women').notNull(),
    /** It counts among the commutes that many people share. */
    isCounted: boolean('is_counted').notNull(),
    /** It comes back every week. */
    isRegular: boolean('is_regular').notNull(),
  },
  (t) => [
    index('commutes_person').on(t.personId),
    index('commutes_recurring').on(t.recurringId),
    // Holds all that is counted, so that counting reads the index alone.
    index('commutes_counted')
      .on(t.fromArea, t.toArea, t.part, t.personId)
      .where(sql`is_counted`),
    index('commutes_regular_in_time')
      .on(t.fromArea, t.toArea, t.minute)
      .where(sql`is_regular`),
    index('commutes_corridor')
      .using('gin', t.corridor)
      .where(sql`is_regular`),
    check('commutes_days', sql`days between 1 and 127`),
    check('commutes_minute', sql`minute between 0 and 1439`),
  ],
);

/** When a person's commutes are to be computed again. */
export const commutesDue = pgTable(
  'commutes_due',
  {
    personId: deletedWith('person_id', () => users.id).primaryKey(),
    dueAt: instantColumn('due_at').notNull(),
  },
  (t) => [index('commutes_due_at').on(t.dueAt)],
);
