import { sql } from 'drizzle-orm';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

export const feedback = pgTable(
  'feedback',
  {
    id: uuid('id').primaryKey(),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    subject: text('subject').notNull(),
    message: text('message').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** When an admin first read it or answered it. */
    readAt: instantColumn('read_at'),
    answeredAt: instantColumn('answered_at'),
    answer: text('answer').notNull().default(''),
  },
  (t) => [
    index('feedback_created').on(t.createdAt, t.id),
    index('feedback_open')
      .on(t.createdAt)
      .where(sql`read_at is null`),
    index('feedback_author').on(t.authorId),
  ],
);
