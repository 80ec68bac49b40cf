import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { NotificationChoices } from '#contract/notifications/endpoints.ts';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** What a person wants to be told, how and when; absent until they have changed something. */
export const notificationSettings = pgTable('notification_settings', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  choices: jsonb('choices').$type<NotificationChoices>().notNull(),
  savedAt: instantColumn('saved_at').notNull(),
});

/** News that leaves the app for one person: at once, or when their quiet hours end. One row a thing, sent once. */
export const notices = pgTable(
  'notices',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The signal it came from and the kind of news: the same signal heard twice makes one notice. */
    source: text('source').notNull(),
    kind: text('kind').notNull(),
    channel: text('channel', { enum: ['email', 'sms'] }).notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    dueAt: instantColumn('due_at').notNull(),
    sentAt: instantColumn('sent_at'),
  },
  (t) => [
    uniqueIndex('notices_once').on(t.userId, t.source, t.channel),
    index('notices_due')
      .on(t.dueAt)
      .where(sql`sent_at is null`),
  ],
);
