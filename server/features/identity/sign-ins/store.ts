import { eq, notExists, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import type { SessionProof } from '../../../platform/security/proofs.ts';
import { sessions, passkeys, signIns, totpSecrets } from '../../../schema/identity.ts';

export type SignInRow = typeof signIns.$inferSelect;

export async function insertSignIn(tx: Db, row: typeof signIns.$inferInsert): Promise<void> {
  await tx.insert(signIns).values(row);
}

/** When a sign-in began; null if it has ended. */
export async function signInBeganAt(tx: Db, family: string): Promise<Date | null> {
  const [row] = await tx.select().from(signIns).where(eq(signIns.family, family));
  return row?.createdAt ?? null;
}

/** Records that a sign-in was used now, by this browser, from this network. */
export async function noteSignInUse(
  tx: Db,
  { family, ...use }: Pick<SignInRow, 'family' | 'userAgent' | 'network' | 'usedAt'>,
): Promise<void> {
  await tx.update(signIns).set(use).where(eq(signIns.family, family));
}

/** Records that the person of a session has confirmed their identity, with or without a second factor. */
export async function noteProof(
  tx: Db,
  { sessionId, isSecondFactor }: { sessionId: string; isSecondFactor: boolean },
  at: Date,
): Promise<void> {
  const family = tx.select({ family: sessions.family }).from(sessions).where(eq(sessions.id, sessionId));
  await tx
    .update(signIns)
    .set({ provedAt: at, ...(isSecondFactor ? { secondFactorAt: at } : {}) })
    .where(eq(signIns.family, family));
}

/** A person has a second factor if an authenticator app is on or a passkey is saved. */
const hasSecondFactor = sql<boolean>`(exists (select from ${totpSecrets} t where t.user_id = s.user_id and t.confirmed_at is not null)
  or exists (select from ${passkeys} p where p.user_id = s.user_id))`;

/** The proofs of identity in the sign-in of a session. Null if the session no longer exists. */
export async function readProof(db: Db, sessionId: string): Promise<SessionProof | null> {
  const found = await db.execute<{ provedAt: string; secondFactorAt: string | null; has: boolean }>(sql`
    select ${hasSecondFactor} as has, i.second_factor_at as "secondFactorAt", i.proved_at as "provedAt"
    from ${sessions} s join ${signIns} i on i.family = s.family where s.id = ${sessionId}`);
  const row = found.rows[0];
  if (row === undefined) return null;
  return {
    provedAt: new Date(row.provedAt),
    secondFactorAt: row.secondFactorAt === null ? null : new Date(row.secondFactorAt),
    hasSecondFactor: row.has,
  };
}

/** Deletes sign-ins whose sessions no longer exist. */
export async function clearOldSignIns(db: Db, usedBefore: Date): Promise<void> {
  const isGone = notExists(
    db.select({ id: sessions.id }).from(sessions).where(eq(sessions.family, signIns.family)),
  );
  await db.delete(signIns).where(sql`${signIns.usedAt} < ${usedBefore.toISOString()} and ${isGone}`);
}

export const erasure = {
  sign_ins: (tx, personId) => tx.delete(signIns).where(eq(signIns.userId, personId)),
} satisfies Erasure;
