import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn, placeColumns, regionColumn } from './columns.ts';
import { users } from './identity.ts';
import { pictures } from './pictures.ts';

export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    organizerId: deletedWith('organizer_id', () => users.id).notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    ...placeColumns('at'),
    ...regionColumn(),
    startsAt: instantColumn('starts_at').notNull(),
    endsAt: instantColumn('ends_at').notNull(),
    timeZone: text('time_zone').notNull(),
    pictureId: uuid('picture_id').references(() => pictures.id, { onDelete: 'set null' }),
    /** Visible to all people, or to those who have its link. */
    visibility: text('visibility', { enum: ['public', 'link'] })
      .notNull()
      .default('public'),
    expectedPeople: integer('expected_people'),
    canceledAt: instantColumn('canceled_at'),
    /** When the organizer first sent a plan: from then on it is repaired after changes. */
    planSentAt: instantColumn('plan_sent_at'),
    /** Raised with every change to the places below, so that two plans made at a time cannot both be sent. */
    planVersion: integer('plan_version').notNull().default(0),
    /** A hash of the code in its short link, stored when the link is first shown. */
    shortHash: text('short_hash').unique(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('events_ends').on(t.endsAt),
    index('events_organiser').on(t.organizerId),
    // The deletion of a picture finds the events that show it.
    index('events_picture')
      .on(t.pictureId)
      .where(sql`picture_id is not null`),
  ],
);
