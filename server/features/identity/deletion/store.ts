import { and, asc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { PrivacyChoices } from '#contract/privacy/endpoints.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import {
  consents,
  devices,
  emailCodes,
  federatedIdentities,
  sessions,
  signups,
  users,
} from '../../../schema/identity.ts';
import { emptyAccount } from '../rules/empty-account.ts';

const mostDeletedAtOnce = 20;

/** Stores who may find a person, and by what. */
export async function savePrivacy(tx: Db, userId: string, choices: PrivacyChoices): Promise<void> {
  await tx.update(users).set(choices).where(eq(users.id, userId));
}

/**
 * Marks an account for deletion; the first request sets the date, so that a repeated one does not postpone
 * it.
 */
export async function scheduleDeletion(
  tx: Db,
  userId: string,
  at: Date,
  dueAt: Date,
): Promise<{ dueAt: Date; email: string; language: 'en' | 'zh'; isNew: boolean } | null> {
  const [fresh] = await tx
    .update(users)
    .set({ deletionAskedAt: at, deletionDueAt: dueAt })
    .where(and(eq(users.id, userId), isNull(users.deletionDueAt)))
    .returning();
  if (fresh !== undefined) return { dueAt, email: fresh.email, language: fresh.language, isNew: true };
  const [row] = await tx.select().from(users).where(eq(users.id, userId));
  if (row?.deletionDueAt == null) return null;
  return { dueAt: row.deletionDueAt, email: row.email, language: row.language, isNew: false };
}

/** Cancels a deletion that is not due yet; says whether none was pending, or it is due. */
export async function cancelDeletion(
  tx: Db,
  userId: string,
  now: Date,
): Promise<'canceled' | 'notPending' | 'isDue'> {
  const isPending = and(eq(users.id, userId), isNotNull(users.deletionDueAt), isNull(users.deletedAt));
  const canceled = await tx
    .update(users)
    .set({ deletionAskedAt: null, deletionDueAt: null })
    .where(and(isPending, gt(users.deletionDueAt, now)))
    .returning({ id: users.id });
  if (canceled.length > 0) return 'canceled';
  return (await tx.$count(users, isPending)) > 0 ? 'isDue' : 'notPending';
}

/** People whose deletion is due, the earliest first; a few at a time. */
export async function dueForDeletion(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(lte(users.deletionDueAt, now))
    .orderBy(asc(users.deletionDueAt))
    .limit(mostDeletedAtOnce);
  return rows.map((row) => row.id);
}

/** Postpones a deletion, because a ride is under way. */
export async function postponeDeletion(tx: Db, userId: string, dueAt: Date): Promise<void> {
  await tx.update(users).set({ deletionDueAt: dueAt }).where(eq(users.id, userId));
}

/** Locks an account before its erasure; null where it is gone. */
export async function lockAccount(tx: Db, userId: string): Promise<typeof users.$inferSelect | null> {
  const [person] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  return person === undefined || person.deletedAt !== null ? null : person;
}

/** Locks an account whose deletion is still due; false where the person keeps it. */
export async function lockForDeletion(tx: Db, userId: string, now: Date): Promise<boolean> {
  const due = (await lockAccount(tx, userId))?.deletionDueAt ?? null;
  return due !== null && due <= now;
}

/** Deletes codes for an email address, a phone number or an id. */
export async function eraseCodes(tx: Db, name: string): Promise<void> {
  await tx.delete(emailCodes).where(sql`position(${name} in ${emailCodes.email}) > 0`);
}

/** Deletes unfinished sign-ups of an address. */
export async function eraseSignups(tx: Db, email: string): Promise<void> {
  await tx.delete(signups).where(eq(signups.email, email));
}

export const erasure = {
  sessions: (tx, personId) => tx.delete(sessions).where(eq(sessions.userId, personId)),
  devices: (tx, personId) => tx.delete(devices).where(eq(devices.userId, personId)),
  federated_identities: (tx, personId) =>
    tx.delete(federatedIdentities).where(eq(federatedIdentities.userId, personId)),
  consents: (tx, personId) => tx.delete(consents).where(eq(consents.userId, personId)),
  // Clears the inviter of those the person has invited; the account itself is emptied last.
  users: (tx, personId) => tx.update(users).set({ inviterId: null }).where(eq(users.inviterId, personId)),
} satisfies Erasure;

/** Blanks an account's row, which remains because others' rides refer to it. */
export async function emptyOut(tx: Db, userId: string, at: Date): Promise<void> {
  await tx
    .update(users)
    .set({ ...emptyAccount, email: `${userId}@deleted.invalid`, deletedAt: at })
    .where(eq(users.id, userId));
}
