import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { staffRoles } from '../../contract/admin/roles.ts';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** What programs present in place of a session. A key acts for a person, within its scopes. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    keyHash: text('key_hash').notNull(),
    /** Its first and last letters, by which people tell keys apart. */
    shown: text('shown').notNull(),
    /** Words of `contract/connect/scopes.ts`; one that is no longer among them gives nothing. */
    scopes: text('scopes').array().notNull(),
    callsPerMinute: integer('calls_per_minute').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** Null for one that is valid until it is revoked. */
    expiresAt: instantColumn('expires_at'),
    /** To the minute. */
    usedAt: instantColumn('used_at'),
    /** The front part of the network address that it was last used from, as people read it. */
    network: text('network').notNull().default(''),
    revokedAt: instantColumn('revoked_at'),
  },
  (t) => [
    uniqueIndex('api_keys_hash').on(t.keyHash),
    index('api_keys_user').on(t.userId),
    index('api_keys_created').on(t.createdAt),
  ],
);

/** Addresses of other programs that are told of events. */
export const webhooks = pgTable('webhooks', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  url: text('url').notNull(),
  /** Words of `contract/connect/webhooks.ts`. */
  events: text('events').array().notNull(),
  /** `paused` by an admin; `stopped` by itself. */
  state: text('state', { enum: ['on', 'paused', 'stopped'] }).notNull(),
  /** What deliveries are signed with; sealed (`server/platform/security/seal.ts`). */
  secret: text('secret').notNull(),
  /** The one before, which signs as well until then. */
  formerSecret: text('former_secret'),
  formerSecretUntil: instantColumn('former_secret_until'),
  createdAt: instantColumn('created_at').notNull(),
  /** Since when every try has failed; null while it works. */
  failingSince: instantColumn('failing_since'),
  lastDeliveredAt: instantColumn('last_delivered_at'),
});

/** One event for one address, with what became of it: what waits, and the log of the last weeks. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** Stays the same however often it is sent: receivers know by it what they have had. */
    id: uuid('id').primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** What it was made of: a signal that is heard again makes nothing new. */
    source: text('source').notNull(),
    event: text('event').notNull(),
    /** What is sent, to the letter. */
    body: text('body').notNull(),
    state: text('state', { enum: ['waiting', 'delivered', 'failed'] }).notNull(),
    tries: integer('tries').notNull().default(0),
    createdAt: instantColumn('created_at').notNull(),
    triedAt: instantColumn('tried_at'),
    /** When it is tried again; while it is being tried, when another process may. */
    nextAt: instantColumn('next_at').notNull(),
    /** The HTTP status of the last answer; null where none came. */
    status: integer('status'),
    trouble: text('trouble').notNull().default(''),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_once').on(t.webhookId, t.source),
    index('webhook_deliveries_due')
      .on(t.webhookId, t.nextAt)
      .where(sql`state = 'waiting'`),
    index('webhook_deliveries_log').on(t.webhookId, t.createdAt),
    index('webhook_deliveries_created').on(t.createdAt),
  ],
);

/** People whom the directory of an organization manages over SCIM. */
export const directoryUsers = pgTable(
  'directory_users',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the directory spells it; unique in any case of letters. */
    userName: text('user_name').notNull(),
    externalId: text('external_id').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    /** Whether the account is suspended because of it, and by no admin. */
    hasSuspended: boolean('has_suspended').notNull().default(false),
    /** While set, the directory has deleted the person: they are not shown to it. */
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

/** Groups of the directory. */
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
    groupId: uuid('group_id')
      .notNull()
      .references(() => directoryGroups.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.groupId, t.userId] }), index('directory_members_user').on(t.userId)],
);

/** Groups that a sign-in provider named at a person's last sign-in. */
export const signInGroups = pgTable(
  'sign_in_groups',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    name: text('name').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.issuer, t.name] })],
);

/** Which role the members of a group have: of the directory, or of a sign-in provider. */
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

/** The role that a person has by their groups; one given by hand is not here, and stays. */
export const directoryRoles = pgTable('directory_roles', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  role: text('role', { enum: staffRoles }).notNull(),
});
