import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../base/db.ts';
import { newSecret } from '../../base/session.ts';
import { attempts, settings } from '../../tables/house.ts';
import { devices, emailCodes, sessions, signups, users } from '../../tables/identity.ts';
import { licences } from '../../tables/vehicles.ts';
import { codeTries, type CodePurpose } from './rules/code.ts';

export type UserRow = typeof users.$inferSelect;
export type NewUser = typeof users.$inferInsert;
export type LicenceStatus = typeof licences.$inferSelect.status;
type SignupRow = typeof signups.$inferSelect;
type SessionRow = typeof sessions.$inferSelect;

/** How an account is named at the door: by its e-mail, or by its phone in E.164. */
export type AccountName = { email: string } | { phone: string };

export async function findUser(db: Db, name: AccountName): Promise<UserRow | null> {
  const where = 'email' in name ? eq(users.email, name.email) : eq(users.phone, name.phone);
  const [row] = await db.select().from(users).where(where);
  return row ?? null;
}

/** Null when another account has the e-mail or the phone. */
export async function insertUser(db: Db, user: NewUser): Promise<UserRow | null> {
  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning();
  return row ?? null;
}

export async function updateUser(db: Db, id: string, changes: Partial<NewUser>): Promise<UserRow | null> {
  const [row] = await db.update(users).set(changes).where(eq(users.id, id)).returning();
  return row ?? null;
}

/** Marks the profile as completed, once. */
export async function completeProfile(db: Db, id: string, at: Date): Promise<void> {
  await db
    .update(users)
    .set({ profileCompletedAt: at })
    .where(and(eq(users.id, id), isNull(users.profileCompletedAt)));
}

/**
 * Holds a person's row until the transaction ends. Sessions are born and ended under it, so that none is born from an
 * old password or an old token while they are being ended.
 */
export async function holdUser(tx: Db, id: string): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('no key update');
  return row ?? null;
}

const latestLicence = (userId: SQL) =>
  sql<LicenceStatus | null>`(select ${licences.status} from ${licences} where ${licences.userId} = ${userId} order by ${licences.createdAt} desc limit 1)`;

export async function usersWithLicence(
  db: Db,
  ids: readonly string[],
): Promise<{ user: UserRow; licence: LicenceStatus | null }[]> {
  if (ids.length === 0) return [];
  return db
    .select({ user: users, licence: latestLicence(sql`${users.id}`) })
    .from(users)
    .where(inArray(users.id, [...ids]));
}

/** Makes one more ride count for a person. */
export async function addRide(tx: Db, userId: string, sharedMetres: number): Promise<void> {
  await tx
    .update(users)
    .set({
      completedRides: sql`${users.completedRides} + 1`,
      sharedMetres: sql`${users.sharedMetres} + ${sharedMetres}`,
    })
    .where(eq(users.id, userId));
}

export async function addStars(tx: Db, userId: string, stars: number): Promise<void> {
  await tx
    .update(users)
    .set({ ratingSum: sql`${users.ratingSum} + ${stars}`, ratingCount: sql`${users.ratingCount} + 1` })
    .where(eq(users.id, userId));
}

/** False when there is no such account. */
export async function setAdmin(db: Db, email: string, isAdmin: boolean): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ isAdmin })
    .where(eq(users.email, email))
    .returning({ id: users.id });
  return rows.length > 0;
}

export async function findSignup(db: Db, email: string): Promise<SignupRow | null> {
  const [row] = await db.select().from(signups).where(eq(signups.email, email));
  return row ?? null;
}

/** The latest sign-up of an address replaces the one before. */
export async function keepSignup(tx: Db, signup: SignupRow): Promise<void> {
  await tx.insert(signups).values(signup).onConflictDoUpdate({ target: signups.email, set: signup });
}

export async function takeSignup(tx: Db, email: string): Promise<SignupRow | null> {
  const [row] = await tx.delete(signups).where(eq(signups.email, email)).returning();
  return row ?? null;
}

/** A fresh code replaces the one before, which stops working. */
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

/** Counts a try at the open code; null when there is none, it is over, or its tries are used up. */
export async function countTry(
  db: Db,
  email: string,
  purpose: CodePurpose,
  now: Date,
): Promise<{ id: string; codeHash: string } | null> {
  const [row] = await db
    .update(emailCodes)
    .set({ tries: sql`${emailCodes.tries} + 1` })
    .where(
      and(
        eq(emailCodes.email, email),
        eq(emailCodes.purpose, purpose),
        lt(emailCodes.tries, codeTries),
        gt(emailCodes.expiresAt, now),
      ),
    )
    .returning({ id: emailCodes.id, codeHash: emailCodes.codeHash });
  return row ?? null;
}

/** Uses a code up; false when it was used or replaced meanwhile. */
export async function takeCode(tx: Db, id: string): Promise<boolean> {
  const rows = await tx.delete(emailCodes).where(eq(emailCodes.id, id)).returning({ id: emailCodes.id });
  return rows.length > 0;
}

/** The key that codes are hashed with: one for the installation, made at its first use. */
export async function codeKey(db: Db): Promise<string> {
  const find = () => db.select({ value: settings.value }).from(settings).where(eq(settings.name, 'codeKey'));
  let [row] = await find();
  if (row === undefined) {
    await db.insert(settings).values({ name: 'codeKey', value: newSecret() }).onConflictDoNothing();
    [row] = await find();
  }
  if (typeof row?.value !== 'string') throw new Error('The setting codeKey is missing.');
  return row.value;
}

export async function insertSession(tx: Db, session: typeof sessions.$inferInsert): Promise<void> {
  await tx.insert(sessions).values(session);
}

export async function findSession(
  db: Db,
  by: { refreshHash: string } | { id: string },
): Promise<SessionRow | null> {
  const where = 'id' in by ? eq(sessions.id, by.id) : eq(sessions.refreshHash, by.refreshHash);
  const [row] = await db.select().from(sessions).where(where);
  return row ?? null;
}

/** Ends the session that grew from `parentId`, if nobody has used it yet; false when there is none. */
export async function endUnusedChild(tx: Db, parentId: string, now: Date): Promise<boolean> {
  const rows = await tx
    .update(sessions)
    .set({ endedAt: now })
    .where(
      and(
        eq(sessions.parentId, parentId),
        isNull(sessions.usedAt),
        isNull(sessions.rotatedAt),
        isNull(sessions.endedAt),
      ),
    )
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Trades a session in; false when it was traded in before, has ended or is over. */
export async function rotateSession(tx: Db, id: string, now: Date): Promise<boolean> {
  const rows = await tx
    .update(sessions)
    .set({ rotatedAt: now })
    .where(
      and(
        eq(sessions.id, id),
        isNull(sessions.rotatedAt),
        isNull(sessions.endedAt),
        gt(sessions.refreshExpiresAt, now),
      ),
    )
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Ends the sessions of a family or of a person and tells their ids. */
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

/** Forgets the attempts counted under a key, once one of them was right. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.delete(attempts).where(eq(attempts.key, key));
}
