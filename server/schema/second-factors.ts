import { bigint, boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';

/** Sign-ins: one row for each family of sessions, with its device, network and proofs. */
export const signIns = pgTable(
  'sign_ins',
  {
    family: uuid('family').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    /** As of the last renewal of its tokens. */
    userAgent: text('user_agent').notNull().default(''),
    /** The network that last used it: a prefix of the address, as shown to people. */
    network: text('network').notNull().default(''),
    usedAt: instantColumn('used_at').notNull(),
    /** When the person last confirmed their identity. */
    provedAt: instantColumn('proved_at').notNull(),
    /** When they last did so with a second factor; null for never. */
    secondFactorAt: instantColumn('second_factor_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [index('sign_ins_user').on(t.userId), index('sign_ins_used').on(t.usedAt)],
);

/** The secret that a person's authenticator app makes codes from. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: deletedWith('user_id', () => users.id).primaryKey(),
  /** Encrypted (`server/platform/security/seal.ts`). */
  secret: text('secret').notNull(),
  /** When the person entered the first valid code; null during setup. */
  confirmedAt: instantColumn('confirmed_at'),
  /** The time step of the last used code: each code works once. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  createdAt: instantColumn('created_at').notNull(),
});

/** Keys on people's devices that sign in with the screen lock (WebAuthn). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    /** The credential id of WebAuthn, in base64url. */
    credentialId: text('credential_id').notNull(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** The number of signatures made; 0 for authenticators that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull().default(0),
    /** The transports by which browsers reach it, comma separated. */
    transports: text('transports').notNull().default(''),
    /** Whether it is stored in more than one place, for example in a password manager. */
    isBackedUp: boolean('is_backed_up').notNull().default(false),
    name: text('name').notNull(),
    usedAt: instantColumn('used_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [uniqueIndex('passkeys_credential').on(t.credentialId), index('passkeys_user').on(t.userId)],
);

/** Recovery codes for people who lose their second factor; each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    usedAt: instantColumn('used_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
);

/** Challenges for passkeys; each works once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    id: uuid('id').primaryKey(),
    /** Null at a sign-in: the passkey identifies the person. */
    userId: deletedWith('user_id', () => users.id),
    purpose: text('purpose', { enum: ['enroll', 'signIn', 'secondStep', 'prove'] }).notNull(),
    challenge: text('challenge').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (t) => [index('passkey_challenges_user').on(t.userId), index('passkey_challenges_expires').on(t.expiresAt)],
);

/** Sign-ins that have passed their first step and wait for the second. */
export const signInTickets = pgTable(
  'sign_in_tickets',
  {
    ticketHash: text('ticket_hash').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (t) => [index('sign_in_tickets_user').on(t.userId), index('sign_in_tickets_expires').on(t.expiresAt)],
);
