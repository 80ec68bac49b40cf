import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** Lower case. */
    email: text('email').notNull(),
    emailVerifiedAt: instantColumn('email_verified_at'),
    /** E.164, or empty. */
    phone: text('phone').notNull().default(''),
    phoneRegion: text('phone_region').notNull().default('+1'),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull().default(''),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    gender: text('gender', { enum: ['male', 'female', 'prefer not to say'] })
      .notNull()
      .default('prefer not to say'),
    interests: text('interests').notNull().default(''),
    /** Path of the picture on this server, or empty. */
    avatar: text('avatar').notNull().default(''),
    preferContactWith: text('prefer_contact_with', { enum: ['phone', 'email', 'chat'] })
      .notNull()
      .default('phone'),
    language: text('language', { enum: ['en', 'zh'] })
      .notNull()
      .default('en'),
    profileCompletedAt: instantColumn('profile_completed_at'),
    isAdmin: boolean('is_admin').notNull().default(false),
    /** While set, the person cannot sign in and nothing of theirs is offered to others. */
    suspendedAt: instantColumn('suspended_at'),
    suspendedReason: text('suspended_reason').notNull().default(''),
    inviterId: uuid('inviter_id'),
    ratingSum: integer('rating_sum').notNull().default(0),
    ratingCount: integer('rating_count').notNull().default(0),
    completedRides: integer('completed_rides').notNull().default(0),
    /** Metres ridden together with others, as driver or passenger. */
    sharedMetres: bigint('shared_metres', { mode: 'number' }).notNull().default(0),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('users_email').on(t.email),
    uniqueIndex('users_phone')
      .on(t.phone)
      .where(sql`phone <> ''`),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** All sessions that grew from one sign-in by rotation; reuse of an old refresh token ends them all. */
    family: uuid('family').notNull(),
    /** The session whose refresh token was traded in for this one; null after a sign-in. */
    parentId: uuid('parent_id'),
    /** When its access token was first used: until then its holder may never have received it. */
    usedAt: instantColumn('used_at'),
    accessHash: text('access_hash').notNull(),
    refreshHash: text('refresh_hash').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
    refreshExpiresAt: instantColumn('refresh_expires_at').notNull(),
    /** Set when the refresh token was traded in. */
    rotatedAt: instantColumn('rotated_at'),
    endedAt: instantColumn('ended_at'),
    userAgent: text('user_agent').notNull().default(''),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('sessions_access').on(t.accessHash),
    uniqueIndex('sessions_refresh').on(t.refreshHash),
    index('sessions_user').on(t.userId),
    index('sessions_family').on(t.family),
  ],
);

/** One open code per address and purpose; a fresh code replaces the old one. */
export const emailCodes = pgTable(
  'email_codes',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    purpose: text('purpose', { enum: ['signup', 'reset'] }).notNull(),
    codeHash: text('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    sentAt: instantColumn('sent_at').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (t) => [uniqueIndex('email_codes_email_purpose').on(t.email, t.purpose)],
);

/** A sign-up that waits for its code; becomes a user when the code is right. */
export const signups = pgTable('signups', {
  email: text('email').primaryKey(),
  phone: text('phone').notNull().default(''),
  passwordHash: text('password_hash').notNull(),
  /** Of the letters, and of the account it becomes. */
  language: text('language', { enum: ['en', 'zh'] })
    .notNull()
    .default('en'),
  createdAt: instantColumn('created_at').notNull(),
});

export const devices = pgTable(
  'devices',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    pushCid: text('push_cid').notNull().default(''),
    clientType: text('client_type').notNull(),
    platform: text('platform').notNull(),
    userAgent: text('user_agent').notNull(),
    language: text('language').notNull(),
    screen: text('screen').notNull(),
    lastLaunchTime: instantColumn('last_launch_time').notNull(),
    createTime: instantColumn('create_time').notNull(),
  },
  (t) => [uniqueIndex('devices_user_agent').on(t.userId, t.userAgent, t.screen)],
);
