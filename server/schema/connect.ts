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
