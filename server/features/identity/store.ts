import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, not, sql } from 'drizzle-orm';
import type { StaffRole } from '#contract/admin/roles.ts';
import type { licenseStatuses } from '#contract/licenses/endpoints.ts';
import { mostPerPage } from '#contract/units.ts';
import type { Db } from '../../platform/database/db.ts';
import { changesAny, firstRow } from '../../platform/database/one-row.ts';
import { inPages } from '../../platform/database/delete-pages.ts';
import { readSetting, secretMadeOnce, writeSetting } from '../../platform/database/settings.ts';
import { clearOldKeys } from '../../platform/http/idempotency.ts';
import { clearOldTries } from '../../platform/http/tries.ts';
import { newSecret, type SignedIn } from '../../platform/security/session.ts';
import {
  consents,
  devices,
  emailCodes,
  oauthAttempts,
  federatedIdentities,
  sessions,
  signups,
  users,
  signIns,
} from '../../schema/identity.ts';
import type { IdentityPorts } from './ports.ts';
import { codeTriesInAll, type CodePurpose } from './rules/code.ts';

export type UserRow = typeof users.$inferSelect;
export type NewUser = typeof users.$inferInsert;
export type LicenseStatus = (typeof licenseStatuses)[number];
type LicenseStatusOf = IdentityPorts['licenseStatusOf'];
export type SignupRow = typeof signups.$inferSelect;
type SessionRow = typeof sessions.$inferSelect;

/** True for an account with a role on the team. */
export const isOfStaff = isNotNull(users.staffRole);

/** A person's name for their account at sign-in: an email, or a phone in E.164. */
export type AccountName = { email: string } | { phone: string };

/** The account of an email or of a verified phone: an unverified number identifies no account. */
export function findUser(db: Db, name: AccountName): Promise<UserRow | null> {
  const where =
    'email' in name
      ? eq(users.email, name.email)
      : and(eq(users.phone, name.phone), isNotNull(users.phoneVerifiedAt));
  return firstRow(db.select().from(users).where(where));
}

export const findUserById = (db: Db, id: string): Promise<UserRow | null> =>
  firstRow(db.select().from(users).where(eq(users.id, id)));

/** Inserts an account; null when another one has the email or the phone. */
export const insertUser = (db: Db, user: NewUser): Promise<UserRow | null> =>
  firstRow(db.insert(users).values(user).onConflictDoNothing().returning());

export const updateUser = (db: Db, id: string, changes: Partial<NewUser>): Promise<UserRow | null> =>
  firstRow(db.update(users).set(changes).where(eq(users.id, id)).returning());

/** Inserts accounts as given, with past dates. */
export async function insertAccounts(db: Db, rows: NewUser[]): Promise<void> {
  await db.insert(users).values(rows);
}

/** Deletes accounts, and by cascade the rows that refer to them. */
export async function removeAccounts(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.delete(users).where(inArray(users.id, [...ids]));
}

/** Sets the password of the account with an email. @returns its id, or null where there is none. */
export async function replacePassword(tx: Db, email: string, passwordHash: string): Promise<string | null> {
  const [row] = await tx
    .update(users)
    .set({ passwordHash })
    .where(eq(users.email, email))
    .returning({ id: users.id });
  return row?.id ?? null;
}

/** Stores who invited a person whose profile is not yet complete, once; false when nothing was stored. */
export const rememberInviter = (tx: Db, id: string, inviterId: string): Promise<boolean> =>
  changesAny(
    tx
      .update(users)
      .set({ inviterId })
      .where(
        and(
          eq(users.id, id),
          ne(users.id, inviterId),
          isNull(users.inviterId),
          isNull(users.profileCompletedAt),
          sql`exists (select 1 from users u where u.id = ${inviterId} and u.deleted_at is null)`,
        ),
      ),
  );

/** Marks the profile as completed, once. */
export async function completeProfile(db: Db, id: string, at: Date): Promise<void> {
  await db
    .update(users)
    .set({ profileCompletedAt: at })
    .where(and(eq(users.id, id), isNull(users.profileCompletedAt)));
}

/**
 * Locks a person's row until the transaction ends. Sessions start and end under this lock, so that none
 * starts from an old password or token while another call ends them.
 */
export const holdUser = (tx: Db, id: string): Promise<UserRow | null> =>
  firstRow(tx.select().from(users).where(eq(users.id, id)).for('no key update'));

export const userWithLicense = (
  db: Db,
  id: string,
  licenseStatusOf: LicenseStatusOf,
): Promise<{ user: UserRow; license: LicenseStatus | null } | null> =>
  firstRow(
    db
      .select({ user: users, license: licenseStatusOf(sql`${users.id}`) })
      .from(users)
      .where(eq(users.id, id)),
  );

/** The public facts of people, with their contact details and licenses; leaves out unknown ids. */
export async function shownPeople(db: Db, ids: readonly string[], licenseStatusOf: LicenseStatusOf) {
  if (ids.length === 0) return [];
  const { id, name, avatar, ratingSum, ratingCount, completedRides } = users;
  const { phone, phoneVerifiedAt, phoneSeenBy, email, preferContactWith, language } = users;
  const person = { id, name, avatar, ratingSum, ratingCount, completedRides };
  const details = { phone, phoneVerifiedAt, phoneSeenBy, email, preferContactWith, language };
  return (
    db
      .select({ user: { ...person, ...details }, license: licenseStatusOf(sql`${users.id}`) })
      .from(users)
      // One parameter: they may be thousands.
      .where(sql`${users.id} = any(${sql.param([...ids])}::uuid[])`)
  );
}

/** Adds a ride and its shared meters to a person's counts. */
export async function countRide(tx: Db, userId: string, sharedMetres: number): Promise<void> {
  await tx
    .update(users)
    .set({
      completedRides: sql`${users.completedRides} + 1`,
      sharedMetres: sql`${users.sharedMetres} + ${sharedMetres}`,
    })
    .where(eq(users.id, userId));
}

export async function countStars(tx: Db, userId: string, stars: number): Promise<void> {
  await tx
    .update(users)
    .set({ ratingSum: sql`${users.ratingSum} + ${stars}`, ratingCount: sql`${users.ratingCount} + 1` })
    .where(eq(users.id, userId));
}

/** Sets the address of the person's profile photo; empty for none. */
export async function setAvatar(tx: Db, userId: string, avatar: string): Promise<void> {
  await tx.update(users).set({ avatar }).where(eq(users.id, userId));
}

/** Suspends an account; null if it is already suspended, has a role on the team, or does not exist. */
export const suspendAccount = (tx: Db, id: string, at: Date, reason: string): Promise<UserRow | null> =>
  firstRow(
    tx
      .update(users)
      .set({ suspendedAt: at, suspendedReason: reason })
      .where(and(eq(users.id, id), isNull(users.suspendedAt), isNull(users.deletedAt), not(isOfStaff)))
      .returning(),
  );

/** Ends a suspension; null when there is none. */
export const unsuspendAccount = (tx: Db, id: string): Promise<UserRow | null> =>
  firstRow(
    tx
      .update(users)
      .set({ suspendedAt: null, suspendedReason: '' })
      .where(and(eq(users.id, id), isNotNull(users.suspendedAt)))
      .returning(),
  );

/**
 * Locks all owners until the transaction ends, so that two of them cannot take each other's role at once.
 * @returns the ids of those whose account is not about to be deleted
 */
export async function holdOwners(tx: Db): Promise<string[]> {
  const rows = await tx
    .select({ id: users.id, deletionDueAt: users.deletionDueAt })
    .from(users)
    .where(and(eq(users.staffRole, 'owner'), isNull(users.deletedAt)))
    .orderBy(users.id)
    .for('no key update');
  return rows.filter(({ deletionDueAt }) => deletionDueAt === null).map(({ id }) => id);
}

/** Whether a person is the last owner, whose account cannot be deleted; locks all owners. */
export async function isLastOwner(tx: Db, userId: string): Promise<boolean> {
  const owners = await holdOwners(tx);
  return owners.includes(userId) && owners.length === 1;
}

/** Gives an account a role on the team; null takes it away. */
export const writeStaffRole = (tx: Db, id: string, role: StaffRole | null): Promise<UserRow | null> =>
  updateUser(tx, id, { staffRole: role });

/** Pending sign-ups of an address, the latest first. */
export const signupsOf = (db: Db, email: string): Promise<SignupRow[]> =>
  db
    .select()
    .from(signups)
    .where(eq(signups.email, email))
    .orderBy(desc(signups.createdAt), desc(signups.id));

/** Stores a sign-up and deletes older ones of its address beyond `most`. */
export async function keepSignup(tx: Db, signup: SignupRow, most: number): Promise<void> {
  await tx.insert(signups).values(signup);
  const old = (await signupsOf(tx, signup.email)).slice(most).map(({ id }) => id);
  if (old.length > 0) await tx.delete(signups).where(inArray(signups.id, old));
}

/** Deletes all sign-ups of an address: at most one of them becomes an account. @returns their ids. */
export async function takeSignups(tx: Db, email: string): Promise<Set<string>> {
  const rows = await tx.delete(signups).where(eq(signups.email, email)).returning({ id: signups.id });
  return new Set(rows.map(({ id }) => id));
}

/** Stores a new code, which replaces the previous one. */
export async function keepCode(
  tx: Db,
  code: { email: string; purpose: CodePurpose; codeHash: string; sentAt: Date; expiresAt: Date },
): Promise<void> {
  const fresh = { ...code, id: randomUUID(), tries: 0 };
  await tx
    .insert(emailCodes)
    .values(fresh)
    .onConflictDoUpdate({ target: [emailCodes.email, emailCodes.purpose], set: fresh });
}

/** Counts a try of the open code; null when there is none, it has expired, or its tries are used up. */
export const countTry = (
  db: Db,
  email: string,
  purpose: CodePurpose,
  now: Date,
): Promise<{ id: string; codeHash: string } | null> =>
  firstRow(
    db
      .update(emailCodes)
      .set({ tries: sql`${emailCodes.tries} + 1` })
      .where(
        and(
          eq(emailCodes.email, email),
          eq(emailCodes.purpose, purpose),
          lt(emailCodes.tries, codeTriesInAll),
          gt(emailCodes.expiresAt, now),
        ),
      )
      .returning({ id: emailCodes.id, codeHash: emailCodes.codeHash }),
  );

/** Uses a code up; false when it was used or replaced meanwhile. */
export const takeCode = (tx: Db, id: string): Promise<boolean> =>
  changesAny(tx.delete(emailCodes).where(eq(emailCodes.id, id)));

/** The key that codes are hashed with: one for the installation, created at first use. */
export const codeKey = (db: Db): Promise<string> => secretMadeOnce(db, 'codeKey', newSecret);

export async function insertSession(tx: Db, session: typeof sessions.$inferInsert): Promise<void> {
  await tx.insert(sessions).values(session);
}

export function findSession(
  db: Db,
  by: { refreshHash: string } | { id: string },
): Promise<SessionRow | null> {
  const where = 'id' in by ? eq(sessions.id, by.id) : eq(sessions.refreshHash, by.refreshHash);
  return firstRow(db.select().from(sessions).where(where));
}

/** Neither renewed nor ended. */
const isOpenSession = and(isNull(sessions.rotatedAt), isNull(sessions.endedAt));

/** The person of a valid access token, and when it was first used; null for an invalid token. */
export const findSignedIn = (
  db: Db,
  accessHash: string,
  now: Date,
): Promise<(SignedIn & { usedAt: Date | null }) | null> =>
  firstRow(
    db
      .select({
        userId: sessions.userId,
        sessionId: sessions.id,
        staffRole: users.staffRole,
        usedAt: sessions.usedAt,
        expiresAt: sessions.expiresAt,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(
        and(
          eq(sessions.accessHash, accessHash),
          isOpenSession,
          gt(sessions.expiresAt, now),
          isNull(users.suspendedAt),
        ),
      ),
  );

/** Records when a session was first used. */
export async function noteUse(db: Db, id: string, at: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ usedAt: at })
    .where(and(eq(sessions.id, id), isNull(sessions.usedAt)));
}

/** Ends the session that renewed `parentId`, if it is unused; false when there is none. */
export const endUnusedChild = (tx: Db, parentId: string, now: Date): Promise<boolean> =>
  changesAny(
    tx
      .update(sessions)
      .set({ endedAt: now })
      .where(and(eq(sessions.parentId, parentId), isNull(sessions.usedAt), isOpenSession)),
  );

/** The latest open session that renewed `parentId`. */
export const openChildOf = (tx: Db, parentId: string): Promise<SessionRow | null> =>
  firstRow(
    tx
      .select()
      .from(sessions)
      .where(and(eq(sessions.parentId, parentId), isOpenSession))
      .orderBy(desc(sessions.createdAt))
      .limit(1),
  );

/** Ends the other sessions that renewed the same parent, once one of them has been renewed. */
export async function endSiblings(tx: Db, parentId: string, now: Date): Promise<void> {
  await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.parentId, parentId), isOpenSession));
}

/** Marks a session as renewed; false when it was renewed before, has ended or has expired. */
export const rotateSession = (tx: Db, id: string, now: Date): Promise<boolean> =>
  changesAny(
    tx
      .update(sessions)
      .set({ rotatedAt: now })
      .where(and(eq(sessions.id, id), isOpenSession, gt(sessions.refreshExpiresAt, now))),
  );

/** Ends the sessions of a family or of a person. @returns their ids. */
export async function endSessions(
  tx: Db,
  of: { family: string } | { userId: string },
  now: Date,
): Promise<string[]> {
  const where = 'family' in of ? eq(sessions.family, of.family) : eq(sessions.userId, of.userId);
  const rows = await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(and(where, isNull(sessions.endedAt)))
    .returning({ id: sessions.id });
  return rows.map((row) => row.id);
}

export async function keepDevice(tx: Db, device: Omit<typeof devices.$inferInsert, 'id'>): Promise<void> {
  await tx
    .insert(devices)
    .values({ ...device, id: randomUUID() })
    .onConflictDoUpdate({ target: [devices.userId, devices.userAgent, devices.screen], set: device });
}

/** Open sign-ins, the last renewed first. */
export async function openFamilies(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ family: string; userAgent: string; network: string; signedInAt: Date; activeAt: Date }[]> {
  const newest = db
    // Two tabs may each have a session of one sign-in.
    .selectDistinctOn([sessions.family], {
      family: sessions.family,
      userAgent: sessions.userAgent,
      network: signIns.network,
      signedInAt: sql<Date>`${signIns.createdAt}`.mapWith(signIns.createdAt).as('signed_in_at'),
      activeAt: sessions.createdAt,
    })
    .from(sessions)
    .innerJoin(signIns, eq(signIns.family, sessions.family))
    .where(and(eq(sessions.userId, userId), isOpenSession, gt(sessions.refreshExpiresAt, now)))
    .orderBy(sessions.family, desc(sessions.createdAt))
    .as('newest');
  return db.select().from(newest).orderBy(desc(newest.activeAt)).limit(mostPerPage);
}

/** The user agents of the browsers in which a person has signed in. */
export async function knownBrowsers(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userAgent: sessions.userAgent })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  return rows.map(({ userAgent }) => userAgent);
}

export async function knowsAddress(db: Db, userId: string, addressHash: string): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.addressHash, addressHash)))
    .limit(1);
  return rows.length > 0;
}

/** Removes an unverified number from the account that has it. */
export async function dropTypedPhone(tx: Db, phone: string, exceptId: string): Promise<void> {
  await tx
    .update(users)
    .set({ phone: '', phoneRegion: '+1' })
    .where(
      and(
        eq(users.phone, phone),
        ne(users.phone, sql`''`),
        ne(users.id, exceptId),
        isNull(users.phoneVerifiedAt),
      ),
    );
}

/** The account of an identity at a provider. */
export async function oauthUserId(db: Db, issuer: string, subject: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: federatedIdentities.userId })
    .from(federatedIdentities)
    .where(and(eq(federatedIdentities.issuer, issuer), eq(federatedIdentities.subject, subject)));
  return row?.userId ?? null;
}

/** The person's id at the provider they linked last; empty without one. */
export async function oauthSubject(db: Db, userId: string): Promise<string> {
  const [row] = await db
    .select({ subject: federatedIdentities.subject })
    .from(federatedIdentities)
    .where(eq(federatedIdentities.userId, userId))
    .orderBy(desc(federatedIdentities.createdAt))
    .limit(1);
  return row?.subject ?? '';
}

export async function insertOAuthIdentity(
  tx: Db,
  identity: typeof federatedIdentities.$inferInsert,
): Promise<void> {
  await tx.insert(federatedIdentities).values(identity);
}

export type OAuthAttempt = typeof oauthAttempts.$inferSelect;

export async function keepAttempt(tx: Db, attempt: OAuthAttempt): Promise<void> {
  await tx.insert(oauthAttempts).values(attempt);
}

/** Uses up an oauth attempt; null when there is none, it was used, or it has expired. */
export async function takeAttempt(
  db: Db,
  by: { stateHash: string } | { nonce: string },
  now: Date,
): Promise<OAuthAttempt | null> {
  const where = 'nonce' in by ? eq(oauthAttempts.nonce, by.nonce) : eq(oauthAttempts.stateHash, by.stateHash);
  const [row] = await db.delete(oauthAttempts).where(where).returning();
  return row === undefined || row.expiresAt <= now ? null : row;
}

export async function insertConsents(tx: Db, rows: (typeof consents.$inferInsert)[]): Promise<void> {
  await tx.insert(consents).values(rows);
}

/** The latest consent for each document. */
export const latestConsents = (db: Db, userId: string): Promise<(typeof consents.$inferSelect)[]> =>
  db
    .selectDistinctOn([consents.document])
    .from(consents)
    .where(eq(consents.userId, userId))
    .orderBy(consents.document, desc(consents.at));

/** Deletes rows that can no longer be used. */
export async function clearOld(
  db: Db,
  before: { now: Date; sessionsEnded: Date; signupsMade: Date; keysUsed: Date },
): Promise<void> {
  const { now, sessionsEnded, signupsMade, keysUsed } = before;
  const isOver = sql`where expires_at <= ${now.toISOString()} order by expires_at`;
  await inPages(emailCodes, isOver, (page) => db.delete(emailCodes).where(page));
  await inPages(oauthAttempts, isOver, (page) => db.delete(oauthAttempts).where(page));
  await clearOldTries(db, now);
  await inPages(signups, sql`where created_at <= ${signupsMade.toISOString()} order by created_at`, (page) =>
    db.delete(signups).where(page),
  );
  await clearOldKeys(db, keysUsed);
  await clearSessions(db, sessionsEnded);
}

const sessionsCleared = 'sessions cleared until';
const sessionsAtOnce = 1000;

/**
 * Deletes families of sessions that ended by an instant, each as a whole, and late: while one of its tokens
 * could be reused, the server must detect that. Reads only those that have ended since the last time.
 */
async function clearSessions(db: Db, endedBy: Date): Promise<void> {
  const cleared = await readSetting(db, sessionsCleared);
  let fromAt = typeof cleared === 'string' ? cleared : new Date(0).toISOString();
  let fromId = emptyId;
  const until = endedBy.toISOString();
  for (;;) {
    const { rows } = await db.execute<{ id: string; at: string; family: string }>(sql`
      select id, to_char(refresh_expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, family
      from sessions where (refresh_expires_at, id) > (${fromAt}::timestamptz, ${fromId}::uuid)
        and refresh_expires_at < ${until} order by refresh_expires_at, id limit ${sessionsAtOnce}`);
    const last = rows.at(-1);
    if (last === undefined) break;
    await db.execute(sql`
      delete from sessions where family = any(${sql.param([...new Set(rows.map(({ family }) => family))])}::uuid[])
        and not exists (select from sessions later where later.family = sessions.family
          and later.refresh_expires_at >= ${until})`);
    [fromAt, fromId] = [last.at, last.id];
  }
  await writeSetting(db, sessionsCleared, until);
}
const emptyId = '00000000-0000-0000-0000-000000000000';
