import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { staffRoles } from '../../contract/admin/roles.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** API keys, which programs send instead of a session. A key acts for a person, within its scopes. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull(),
    /** Its first and last characters, so that people can tell keys apart. */
    shown: text('shown').notNull(),
    /** Scopes of `contract/connect/scopes.ts`; one that no longer exists grants nothing. */
    scopes: text('scopes').array().notNull(),
    callsPerMinute: integer('calls_per_minute').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** Null: valid until it is revoked. */
    expiresAt: instantColumn('expires_at'),
    /** Accurate to the minute. */
    usedAt: instantColumn('used_at'),
    /** The network that last used it: a prefix of the address, as shown to people. */
    network: text('network').notNull().default(''),
    revokedAt: instantColumn('revoked_at'),
  },
  (t) => [
    uniqueIndex('api_keys_hash').on(t.keyHash),
    index('api_keys_user').on(t.userId),
    index('api_keys_created').on(t.createdAt),
  ],
);

/** Webhooks: addresses that the server sends events to. */
export const webhooks = pgTable('webhooks', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  url: text('url').notNull(),
  /** Events of `contract/connect/webhooks.ts`. */
  events: text('events').array().notNull(),
  /** `paused`: by an admin. `stopped`: by the server, after failures. */
  state: text('state', { enum: ['on', 'paused', 'stopped'] }).notNull(),
  /** The secret that signs deliveries, encrypted (`server/platform/security/seal.ts`). */
  secret: text('secret').notNull(),
  /** The former secret, which also signs until then. */
  formerSecret: text('former_secret'),
  formerSecretUntil: instantColumn('former_secret_until'),
  createdAt: instantColumn('created_at').notNull(),
  /** When the current series of failures began; null while deliveries succeed. */
  failingSince: instantColumn('failing_since'),
  /** Until then only what a person asks for is sent: the receiver has not answered lately. */
  restsUntil: instantColumn('rests_until'),
  lastDeliveredAt: instantColumn('last_delivered_at'),
});

/**
 * Deliveries: one event for one webhook, with its result. The table is both the queue and the log of the last
 * weeks.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** Stays the same if the event is sent again, so that receivers recognize repetitions. */
    id: uuid('id').primaryKey(),
    webhookId: deletedWith('webhook_id', () => webhooks.id).notNull(),
    /** The signal that it comes from: a signal that is read twice leads to one delivery. */
    source: text('source').notNull(),
    event: text('event').notNull(),
    /** The exact request body. */
    body: text('body').notNull(),
    state: text('state', { enum: ['waiting', 'delivered', 'failed'] }).notNull(),
    tries: integer('tries').notNull().default(0),
    createdAt: instantColumn('created_at').notNull(),
    triedAt: instantColumn('tried_at'),
    /** The time of the next attempt; during an attempt, the end of its lease. */
    nextAt: instantColumn('next_at').notNull(),
    /** The HTTP status of the last answer; null if there was none. */
    status: integer('status'),
    trouble: text('trouble').notNull().default(''),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_once').on(t.webhookId, t.source),
    index('webhook_deliveries_due')
      .on(t.webhookId, t.nextAt)
      .where(sql`state = 'waiting'`),
    index('webhook_deliveries_by_hand')
      .on(t.webhookId, t.nextAt)
      .where(sql`state = 'waiting' and (event = 'test' or (tries = 0 and tried_at is not null))`),
    index('webhook_deliveries_log').on(t.webhookId, t.createdAt),
    index('webhook_deliveries_created').on(t.createdAt),
  ],
);

/** People that an organization's directory manages through SCIM. */
export const directoryUsers = pgTable(
  'directory_users',
  {
    userId: deletedWith('user_id', () => users.id).primaryKey(),
    /** As the directory spells it; unique regardless of case. */
    userName: text('user_name').notNull(),
    externalId: text('external_id').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    /** Whether the directory suspended the account, rather than an admin. */
    hasSuspended: boolean('has_suspended').notNull().default(false),
    /** Set if the directory deleted the person: it no longer sees them. */
    removedAt: instantColumn('removed_at'),
    createdAt: instantColumn('created_at').notNull(),
    changedAt: instantColumn('changed_at').notNull(),
  },
  (t) => [
    uniqueIndex('directory_users_name').on(sql`lower(${t.userName})`),
    index('directory_users_external').on(t.externalId),
    index('directory_users_created').on(t.createdAt, t.userId),
  ],
);

export const directoryGroups = pgTable(
  'directory_groups',
  {
    id: uuid('id').primaryKey(),
    displayName: text('display_name').notNull(),
    externalId: text('external_id').notNull().default(''),
    createdAt: instantColumn('created_at').notNull(),
    changedAt: instantColumn('changed_at').notNull(),
  },
  (t) => [
    uniqueIndex('directory_groups_name').on(sql`lower(${t.displayName})`),
    index('directory_groups_created').on(t.createdAt, t.id),
  ],
);

export const directoryMembers = pgTable(
  'directory_members',
  {
    groupId: deletedWith('group_id', () => directoryGroups.id).notNull(),
    userId: deletedWith('user_id', () => users.id).notNull(),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.userId] }), index('directory_members_user').on(t.userId)],
);

/** Groups that a sign-in provider named at a person's last sign-in. */
export const signInGroups = pgTable(
  'sign_in_groups',
  {
    userId: deletedWith('user_id', () => users.id).notNull(),
    issuer: text('issuer').notNull(),
    name: text('name').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.issuer, t.name] })],
);

/** The roles of groups, from the directory or from a sign-in provider. */
export const groupRoles = pgTable(
  'group_roles',
  {
    id: uuid('id').primaryKey(),
    groupName: text('group_name').notNull(),
    role: text('role', { enum: staffRoles }).notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [uniqueIndex('group_roles_name').on(sql`lower(${t.groupName})`)],
);

/** The roles that people have through their groups; roles given by hand are not here. */
export const directoryRoles = pgTable('directory_roles', {
  userId: deletedWith('user_id', () => users.id).primaryKey(),
  role: text('role', { enum: staffRoles }).notNull(),
});
