import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import {
  notificationChannels,
  notificationKinds,
  phoneCarriers,
  type NotificationChoices,
} from '#contract/notifications/endpoints.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** Which notifications a person wants, how and when; absent until they have changed something. */
export const notificationSettings = pgTable('notification_settings', {
  userId: deletedWith('user_id', () => users.id).primaryKey(),
  /** As it was saved: kinds and places that came later are missing in it. */
  choices: jsonb('choices').$type<NotificationChoices>().notNull(),
  savedAt: instantColumn('saved_at').notNull(),
});

/** A notification for one person. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    /** The person it is about: their name is read from their account each time, so that it goes with them. */
    otherId: deletedWith('other_id', () => users.id),
    /**
     * Where it came from: the same signal handled twice, or the same hour of a ride reached twice, makes one
     * notification.
     */
    source: text('source').notNull(),
    /**
     * The thing it is about, such as `order:<id>`: on a device, a later notification of one thing replaces
     * the earlier.
     */
    thing: text('thing').notNull(),
    kind: text('kind', { enum: notificationKinds }).notNull(),
    word: text('word').notNull(),
    /** The facts of its text, which is made when the person reads it. */
    facts: jsonb('facts').$type<Record<string, unknown>>().notNull(),
    path: text('path').notNull(),
    at: instantColumn('at').notNull(),
    /** When it was shown live in an open app. */
    seenAt: instantColumn('seen_at'),
    readAt: instantColumn('read_at'),
  },
  (t) => [
    uniqueIndex('notifications_once').on(t.source, t.userId),
    index('notifications_of_person').on(t.userId, t.at),
    index('notifications_other').on(t.otherId),
    index('notifications_at').on(t.at),
    index('notifications_unread_messages')
      .on(t.at, t.id)
      .where(sql`kind = 'chat' and read_at is null`),
    index('notifications_unread')
      .on(t.userId, t.path)
      .where(sql`read_at is null`),
  ],
);

/**
 * Notifications on their way out of the app: soon, or when the person's quiet hours end. One row a channel,
 * sent once.
 */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    id: uuid('id').primaryKey(),
    notificationId: deletedWith('notification_id', () => notifications.id).notNull(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    channel: text('channel', { enum: notificationChannels }).notNull(),
    dueAt: instantColumn('due_at').notNull(),
    /**
     * After it the notification is worth nothing outside of the app, and is dropped. Null: it has no such
     * end.
     */
    goodUntil: instantColumn('good_until'),
    /** When it was taken up: handed over, or dropped because it was seen or is worth nothing any more. */
    sentAt: instantColumn('sent_at'),
    /** When the server of its channel took it; null while it has not, and where it was dropped. */
    leftAt: instantColumn('left_at'),
  },
  (t) => [
    uniqueIndex('notification_deliveries_once').on(t.notificationId, t.channel),
    index('notification_deliveries_user').on(t.userId),
    index('notification_deliveries_due')
      .on(t.dueAt)
      .where(sql`sent_at is null`),
  ],
);

/** Devices that get push messages, each for as long as the sign-in lasts that connected it. */
export const pushDevices = pgTable(
  'push_devices',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    /** The family of sessions it was connected in. */
    family: uuid('family').notNull(),
    carrier: text('carrier', { enum: ['web', ...phoneCarriers] })
      .notNull()
      .default('web'),
    /** The address of a browser's subscription, or a phone's token. */
    endpoint: text('endpoint').notNull(),
    /** The keys of a browser's subscription; phones have none. */
    p256dh: text('p256dh'),
    auth: text('auth'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('push_devices_endpoint').on(t.endpoint),
    index('push_devices_user').on(t.userId),
    check('push_devices_keys', sql`(carrier = 'web') = (p256dh is not null and auth is not null)`),
  ],
);
