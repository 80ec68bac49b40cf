import { and, count, eq, gt, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny, firstRow } from '../../../platform/database/one-row.ts';
import { inPages } from '../../../platform/database/delete-pages.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import type { SealedColumn } from '../../../platform/security/reseal.ts';
import {
  passkeyChallenges,
  passkeys,
  recoveryCodes,
  signInTickets,
  totpSecrets,
} from '../../../schema/identity.ts';

export type PasskeyRow = typeof passkeys.$inferSelect;
export type TotpRow = typeof totpSecrets.$inferSelect;
export type ChallengePurpose = typeof passkeyChallenges.$inferSelect.purpose;

/** Which second factors a person has. */
export interface Factors {
  totpSince: Date | null;
  passkeys: PasskeyRow[];
  recoveryCodesLeft: number;
}

export async function factorsOf(db: Db, userId: string): Promise<Factors> {
  const [totp] = await db
    .select({ at: totpSecrets.confirmedAt })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId));
  const keys = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.createdAt, passkeys.id);
  const [codes] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return { totpSince: totp?.at ?? null, passkeys: keys, recoveryCodesLeft: codes?.left ?? 0 };
}

export const totpOf = (db: Db, userId: string): Promise<TotpRow | null> =>
  firstRow(db.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)));

/** The secrets of authenticator apps, which belong to their person. */
export const sealedFactors: readonly SealedColumn[] = [
  {
    table: totpSecrets,
    id: totpSecrets.userId,
    value: totpSecrets.secret,
    whoseOf: (userId) => userId,
    replace: (db, { id, before, sealed }) =>
      db
        .update(totpSecrets)
        .set({ secret: sealed })
        .where(and(eq(totpSecrets.userId, id), eq(totpSecrets.secret, before))),
  },
];

/** Saves a secret during setup and replaces an earlier one; false if an app is already on. */
export function keepTotp(tx: Db, userId: string, secret: string, at: Date): Promise<boolean> {
  const fresh = { secret, createdAt: at, lastStep: 0 };
  return changesAny(
    tx
      .insert(totpSecrets)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({
        target: totpSecrets.userId,
        set: fresh,
        setWhere: isNull(totpSecrets.confirmedAt),
      }),
  );
}

/** Marks a code's time step as used, and with `confirmedAt` turns the app on; false if it was used before. */
export const useTotpStep = (
  tx: Db,
  { userId, secret }: Pick<TotpRow, 'userId' | 'secret'>,
  step: number,
  confirmedAt?: Date,
): Promise<boolean> =>
  changesAny(
    tx
      .update(totpSecrets)
      .set({ lastStep: step, ...(confirmedAt === undefined ? {} : { confirmedAt }) })
      .where(
        and(
          eq(totpSecrets.userId, userId),
          eq(totpSecrets.secret, secret),
          lt(totpSecrets.lastStep, step),
          confirmedAt === undefined ? isNotNull(totpSecrets.confirmedAt) : isNull(totpSecrets.confirmedAt),
        ),
      ),
  );

/** Deletes the secret of an app that is on; false if there is none. */
export const deleteTotp = (tx: Db, userId: string): Promise<boolean> =>
  changesAny(
    tx.delete(totpSecrets).where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt))),
  );

/** Saves a passkey; null if its credential id is already known. */
export const insertPasskey = (tx: Db, row: typeof passkeys.$inferInsert): Promise<PasskeyRow | null> =>
  firstRow(tx.insert(passkeys).values(row).onConflictDoNothing().returning());

export const findPasskey = (db: Db, credentialId: string): Promise<PasskeyRow | null> =>
  firstRow(db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)));

export const renamePasskey = (
  tx: Db,
  { userId, id, name }: Pick<PasskeyRow, 'userId' | 'id' | 'name'>,
): Promise<PasskeyRow | null> =>
  firstRow(
    tx
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
      .returning(),
  );

/**
 * Records a use of a passkey; false if it no longer exists, or if its counter went back, which means that
 * another device has a copy.
 */
export const usePasskey = (
  tx: Db,
  { id, counter, isBackedUp }: Pick<PasskeyRow, 'id' | 'counter' | 'isBackedUp'>,
  at: Date,
): Promise<boolean> =>
  changesAny(
    tx
      .update(passkeys)
      .set({ counter, isBackedUp, usedAt: at })
      .where(
        and(eq(passkeys.id, id), counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)),
      ),
  );

/** @returns the name of the deleted passkey; null if there was none. */
export async function deletePasskey(tx: Db, userId: string, id: string): Promise<string | null> {
  const [row] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ name: passkeys.name });
  return row?.name ?? null;
}

export async function replaceRecoveryCodes(
  tx: Db,
  userId: string,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  if (hashes.length > 0)
    await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ codeHash, userId, createdAt: at })));
}

/** Marks a recovery code as used; false if it is not one of the person's, or was used before. */
export const useRecoveryCode = (tx: Db, userId: string, codeHash: string, at: Date): Promise<boolean> =>
  changesAny(
    tx
      .update(recoveryCodes)
      .set({ usedAt: at })
      .where(
        and(
          eq(recoveryCodes.codeHash, codeHash),
          eq(recoveryCodes.userId, userId),
          isNull(recoveryCodes.usedAt),
        ),
      ),
  );

/** Deletes all second factors of a person who has lost them. @returns how many there were. */
export async function deleteFactors(tx: Db, userId: string): Promise<number> {
  const keys = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
  const hadTotp = await deleteTotp(tx, userId);
  await replaceRecoveryCodes(tx, userId, [], new Date(0));
  return keys.length + Number(hadTotp);
}

export async function insertChallenge(tx: Db, row: typeof passkeyChallenges.$inferInsert): Promise<void> {
  await tx.insert(passkeyChallenges).values(row);
}

/** Consumes a challenge; null if it is unknown, used, expired, or for another purpose or person. */
export async function takeChallenge(
  db: Db,
  { id, purpose, userId }: { id: string; purpose: ChallengePurpose; userId: string | null },
  now: Date,
): Promise<string | null> {
  const [row] = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.id, id),
        eq(passkeyChallenges.purpose, purpose),
        userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ challenge: passkeyChallenges.challenge });
  return row?.challenge ?? null;
}

export async function insertTicket(tx: Db, row: typeof signInTickets.$inferInsert): Promise<void> {
  await tx.insert(signInTickets).values(row);
}

/** The person of a sign-in's ticket; null if it is unknown, used or expired. */
export async function ticketHolder(db: Db, ticketHash: string, now: Date): Promise<string | null> {
  const [row] = await db
    .select({ userId: signInTickets.userId })
    .from(signInTickets)
    .where(and(eq(signInTickets.ticketHash, ticketHash), gt(signInTickets.expiresAt, now)));
  return row?.userId ?? null;
}

/** Consumes a ticket; false if another call has. */
export const takeTicket = (tx: Db, ticketHash: string): Promise<boolean> =>
  changesAny(tx.delete(signInTickets).where(eq(signInTickets.ticketHash, ticketHash)));

/** Ends a person's sign-ins that wait for their second step. */
export async function endTickets(tx: Db, userId: string): Promise<void> {
  await tx.delete(signInTickets).where(eq(signInTickets.userId, userId));
}

/** Deletes expired challenges and tickets. */
export async function clearOld(db: Db, now: Date): Promise<void> {
  const over = sql`where expires_at <= ${now.toISOString()} order by expires_at`;
  await inPages(passkeyChallenges, over, (page) => db.delete(passkeyChallenges).where(page));
  await inPages(signInTickets, over, (page) => db.delete(signInTickets).where(page));
  // A secret that was shown and never confirmed.
  const unfinished = and(
    isNull(totpSecrets.confirmedAt),
    lte(totpSecrets.createdAt, sql`${now.toISOString()}::timestamptz - interval '1 day'`),
  );
  await db.delete(totpSecrets).where(unfinished);
}

export const erasure = {
  totp_secrets: (tx, personId) => tx.delete(totpSecrets).where(eq(totpSecrets.userId, personId)),
  passkeys: (tx, personId) => tx.delete(passkeys).where(eq(passkeys.userId, personId)),
  recovery_codes: (tx, personId) => tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, personId)),
  passkey_challenges: (tx, personId) =>
    tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, personId)),
  sign_in_tickets: (tx, personId) => tx.delete(signInTickets).where(eq(signInTickets.userId, personId)),
} satisfies Erasure;
