import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instantColumn, placeColumns } from './columns.ts';
import { users } from './identity.ts';

export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    organiserId: uuid('organiser_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    ...placeColumns('at'),
    startsAt: instantColumn('starts_at').notNull(),
    endsAt: instantColumn('ends_at').notNull(),
    timeZone: text('time_zone').notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [index('events_ends').on(t.endsAt)],
);
