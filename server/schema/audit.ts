import {
  bigint,
  bigserial,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { adminActions as adminActionNames, adminReadings as lists } from '#contract/admin/endpoints.ts';
import { securityEvents } from '#contract/admin/security.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** Every action of an admin, written in the action's own transaction and never changed. */
export const adminActions = pgTable(
  'admin_actions',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Null for the command line. */
    adminId: uuid('admin_id').references(() => users.id, { onDelete: 'set null' }),
    action: text('action', { enum: adminActionNames }).notNull(),
    /** The person it is about; null once their account is gone. */
    personId: uuid('person_id').references(() => users.id, { onDelete: 'set null' }),
    /** The license, message or report it is about; null where the person alone is. */
    thingId: uuid('thing_id'),
    /** The reason or answer given. */
    note: text('note').notNull().default(''),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    index('admin_actions_at').on(t.at),
    index('admin_actions_admin').on(t.adminId),
    index('admin_actions_person').on(t.personId),
  ],
);

/** An admin's readings of one list within one hour. */
export const adminReadings = pgTable(
  'admin_readings',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    adminId: uuid('admin_id').references(() => users.id, { onDelete: 'set null' }),
    list: text('list', { enum: lists }).notNull(),
    hourAt: instantColumn('hour_at').notNull(),
    times: integer('times').notNull(),
    firstAt: instantColumn('first_at').notNull(),
    lastAt: instantColumn('last_at').notNull(),
  },
  (t) => [
    uniqueIndex('admin_readings_once').on(t.adminId, t.list, t.hourAt),
    index('admin_readings_last').on(t.lastAt),
  ],
);

/** Of whom that was. */
export const adminReadingPeople = pgTable(
  'admin_reading_people',
  {
    readingId: bigint('reading_id', { mode: 'number' })
      .notNull()
      .references(() => adminReadings.id, { onDelete: 'cascade' }),
    personId: deletedWith('person_id', () => users.id).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.readingId, t.personId] }),
    index('admin_reading_people_person').on(t.personId),
  ],
);

/** How many security events there were in an hour. */
export const securityCounts = pgTable(
  'security_counts',
  {
    event: text('event', { enum: securityEvents }).notNull(),
    hourAt: instantColumn('hour_at').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
    lastAt: instantColumn('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.event, t.hourAt] }), index('security_counts_hour').on(t.hourAt)],
);
