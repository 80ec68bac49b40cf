import { bigint, boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';

/**
 * What is known of a sign-in beside its tokens: one row for each family of sessions. Families that the former
 * release has begun have none.
 */
export const signIns = pgTable(
  'sign_ins',
  {
    family: uuid('family').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As its tokens were last renewed. */
    userAgent: text('user_agent').notNull().default(''),
    /** The front part of the network address that it was last used from, as people read it. */
    network: text('network').notNull().default(''),
    usedAt: instantColumn('used_at').notNull(),
    /** When the person last proved who they are. */
    provedAt: instantColumn('proved_at').notNull(),
    /** When they last did so with a second factor; null where they never have. */
    secondFactorAt: instantColumn('second_factor_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [index('sign_ins_user').on(t.userId), index('sign_ins_used').on(t.usedAt)],
);

/** The secret that a person's authenticator app makes codes from. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Sealed (`server/platform/security/seal.ts`). */
  secret: text('secret').notNull(),
  /** When the first code of the app was right; null while it is being set up. */
  confirmedAt: instantColumn('confirmed_at'),
  /** The half minute of the last code that was used: each code counts once. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  createdAt: instantColumn('created_at').notNull(),
});

/** Keys on people's devices that sign in with the screen lock (WebAuthn). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The device's name of the key, in base64url. */
    credentialId: text('credential_id').notNull(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** Signatures that the key has made; 0 for keys that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
    /** How browsers reach it, comma separated. */
    transports: text('transports').notNull().default(''),
    /** Whether it is kept in more than one place, such as a password manager. */
    isBackedUp: boolean('is_backed_up').notNull().default(false),
    name: text('name').notNull(),
    usedAt: instantColumn('used_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialId), index('passkeys_user').on(t.userId)],
);

/** Codes to write down, for a person who has lost their second factor; each is used once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    usedAt: instantColumn('used_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
);

/** What a passkey has to sign; taken once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    id: uuid('id').primaryKey(),
    /** Null at a sign-in: the passkey itself says whose it is. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['enroll', 'signIn', 'secondStep', 'prove'] }).notNull(),
    challenge: text('challenge').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (t) => [index('passkey_challenges_user').on(t.userId), index('passkey_challenges_expires').on(t.expiresAt)],
);

/** A sign-in whose first step was right, and whose second is still to come. */
export const signInTickets = pgTable(
  'sign_in_tickets',
  {
    ticketHash: text('ticket_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (t) => [index('sign_in_tickets_user').on(t.userId), index('sign_in_tickets_expires').on(t.expiresAt)],
);
