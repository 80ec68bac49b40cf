import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { staffRoles } from '../../contract/admin/roles.ts';
import { deletedWith, instantColumn } from './columns.ts';

const isFindableByPhone = sql`found_by_phone and phone_verified_at is not null and phone <> '' and profile_completed_at is not null and suspended_at is null and deleted_at is null and deletion_due_at is null`;

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
    /** When a code sent to the phone came back; null while the number is only typed. */
    phoneVerifiedAt: instantColumn('phone_verified_at'),
    /** Empty for a person who has only ever signed in through an outside provider. */
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
    /** When the person asked for deletion, and when it is carried out unless they change their mind. */
    deletionAskedAt: instantColumn('deletion_asked_at'),
    deletionDueAt: instantColumn('deletion_due_at'),
    /** Set once nothing personal is left in the row; others' rides still refer to it. */
    deletedAt: instantColumn('deleted_at'),
    staffRole: text('staff_role', { enum: staffRoles }),
    /** While set, the person cannot sign in and nothing of theirs is offered to others. */
    suspendedAt: instantColumn('suspended_at'),
    suspendedReason: text('suspended_reason').notNull().default(''),
    inviterId: uuid('inviter_id'),
    /** By what others may find this person: the whole e-mail, the whole phone number, the name. */
    foundByEmail: boolean('found_by_email').notNull().default(true),
    foundByPhone: boolean('found_by_phone').notNull().default(true),
    foundByName: boolean('found_by_name').notNull().default(true),
    /**
     * The phone number is shown to people who have joined the same ride, to contacts as well, or to no one.
     */
    phoneSeenBy: text('phone_seen_by', { enum: ['nobody', 'joined', 'contacts'] })
      .notNull()
      .default('joined'),
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
    index('users_deletion_due')
      .on(t.deletionDueAt)
      .where(sql`deletion_due_at is not null`),
    index('users_created').on(t.createdAt, t.id),
    index('users_deleted')
      .on(t.deletedAt)
      .where(sql`deleted_at is not null`),
    index('users_suspended')
      .on(t.createdAt)
      .where(sql`suspended_at is not null`),
    index('users_staff')
      .on(t.createdAt)
      .where(sql`staff_role is not null`),
    index('users_text_trgm').using(
      'gin',
      sql`lower(name || E'\\n' || first_name || ' ' || last_name || E'\\n' || email || E'\\n' || phone) gin_trgm_ops`,
    ),
    // An address book is compared by the groups of numbers that it tells, of 65,536. `decode` would take a
    // backslash for an escape and fail; no verified number has one.
    index('users_findable_group')
      .using(
        'btree',
        sql`(get_byte(sha256(decode(replace(phone, '\\', ''), 'escape')), 0) * 256 + get_byte(sha256(decode(replace(phone, '\\', ''), 'escape')), 1))`,
        t.phone,
        t.id,
      )
      .where(isFindableByPhone),
    // The columns for a search among a person's contacts, read from the index alone.
    index('users_known')
      .on(t.id, t.name)
      .where(
        sql`found_by_name and profile_completed_at is not null and suspended_at is null and deleted_at is null and deletion_due_at is null`,
      ),
    index('users_name').using('btree', sql`lower(name) collate "C"`, t.id),
    index('users_name_trgm').using('gin', sql`lower(name) gin_trgm_ops`),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
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
    /** Keyed hash of the network address it began at: a place the account is known to be used from. */
    addressHash: text('address_hash').notNull().default(''),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('sessions_access').on(t.accessHash),
    uniqueIndex('sessions_refresh').on(t.refreshHash),
    index('sessions_user').on(t.userId),
    index('sessions_family').on(t.family),
    index('sessions_refresh_expires').on(t.refreshExpiresAt),
  ],
);

/** One open code per recipient and purpose; a fresh code replaces the old one. */
export const emailCodes = pgTable(
  'email_codes',
  {
    id: uuid('id').primaryKey(),
    /**
     * The code's recipient: an email address, a phone in E.164, `person:phone` while a phone is being
     * verified, or `address:sign-up` for a sign-up.
     */
    email: text('email').notNull(),
    purpose: text('purpose', { enum: ['signup', 'reset', 'phone', 'prove'] }).notNull(),
    codeHash: text('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    sentAt: instantColumn('sent_at').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('email_codes_email_purpose').on(t.email, t.purpose),
    index('email_codes_expires').on(t.expiresAt),
  ],
);

/**
 * A sign-up that waits for its code; becomes a user when the code is right. Any person may type any address,
 * so an address may have several: each has a code of its own and is known by a secret that its browser keeps.
 */
export const signups = pgTable(
  'signups',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    secretHash: text('secret_hash').notNull().default(''),
    email: text('email').notNull(),
    phone: text('phone').notNull().default(''),
    passwordHash: text('password_hash').notNull(),
    /** Of the emails, and of the account it becomes. */
    language: text('language', { enum: ['en', 'zh'] })
      .notNull()
      .default('en'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [index('signups_email').on(t.email, t.createdAt), index('signups_created').on(t.createdAt)],
);

export const devices = pgTable(
  'devices',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
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

/** An account of an outside provider that signs a person in. */
export const federatedIdentities = pgTable(
  'federated_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    email: text('email').notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), index('federated_identities_user').on(t.userId)],
);

/** A sign-in that is on its way through an outside provider; taken once. */
export const oauthAttempts = pgTable(
  'oauth_attempts',
  {
    stateHash: text('state_hash').primaryKey(),
    provider: text('provider').notNull(),
    nonce: text('nonce').notNull(),
    verifier: text('verifier').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    language: text('language', { enum: ['en', 'zh'] }).notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
  },
  (t) => [uniqueIndex('oauth_attempts_nonce').on(t.nonce), index('oauth_attempts_expires').on(t.expiresAt)],
);

/** A person's consents and withdrawals, with their times: never changed, only added to. */
export const consents = pgTable(
  'consents',
  {
    id: uuid('id').primaryKey(),
    userId: deletedWith('user_id', () => users.id).notNull(),
    document: text('document', { enum: ['terms', 'privacy', 'optin'] }).notNull(),
    version: text('version').notNull(),
    given: boolean('given').notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [index('consents_user').on(t.userId, t.document, t.at)],
);

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
