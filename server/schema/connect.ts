import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
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
