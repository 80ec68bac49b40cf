import { bigserial, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { adminActions as adminActionNames } from '#contract/admin/endpoints.ts';
import { instantColumn } from './columns.ts';
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
    /** The licence, message or report it is about; null where the person alone is. */
    thingId: uuid('thing_id'),
    /** The reason or answer given. */
    note: text('note').notNull().default(''),
    at: instantColumn('at').notNull(),
  },
  (t) => [index('admin_actions_at').on(t.at)],
);
