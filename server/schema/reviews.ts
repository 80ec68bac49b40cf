import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { bookings, rides } from './rides.ts';

export const reviews = pgTable(
  'reviews',
  {
    id: uuid('id').primaryKey(),
    bookingId: deletedWith('booking_id', () => bookings.id).notNull(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    authorId: deletedWith('author_id', () => users.id).notNull(),
    subjectId: deletedWith('subject_id', () => users.id).notNull(),
    stars: integer('stars').notNull(),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    words: text('words').notNull().default(''),
    /** The reply of the person reviewed, once. */
    reply: text('reply').notNull().default(''),
    repliedAt: instantColumn('replied_at'),
    createdAt: instantColumn('created_at').notNull(),
    /** When others may see it, once decided: both wrote, or the window closed. */
    publishedAt: instantColumn('published_at'),
    /** When the window closes, and it is published though the other side has written none. */
    publishAt: instantColumn('publish_at').notNull(),
  },
  (t) => [
    uniqueIndex('reviews_booking_author').on(t.bookingId, t.authorId),
    index('reviews_subject').on(t.subjectId, t.createdAt),
    index('reviews_due')
      .on(t.publishAt)
      .where(sql`published_at is null`),
    index('reviews_author').on(t.authorId),
    check('reviews_stars', sql`stars between 1 and 5`),
  ],
);
