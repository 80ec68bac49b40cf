import { and, desc, eq, gt, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { mostKeys, mostKeysShown } from '#contract/connect/keys.ts';
import type { Db } from '../../../platform/database/db.ts';
import { firstRow } from '../../../platform/database/one-row.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { apiKeys } from '../../../schema/connect.ts';

export type KeyRow = typeof apiKeys.$inferSelect;

export async function insertKey(tx: Db, row: typeof apiKeys.$inferInsert): Promise<KeyRow> {
  const [inserted] = await tx.insert(apiKeys).values(row).returning();
  return inserted!;
}

export const findKey = (db: Db, keyHash: string): Promise<KeyRow | null> =>
  firstRow(db.select().from(apiKeys).where(eq(apiKeys.keyHash, keyHash)));

const validOf = (userId: string, now: Date): SQL | undefined =>
  and(
    eq(apiKeys.userId, userId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );

/** The number of valid keys of a person. */
export const countValid = (tx: Db, userId: string, now: Date): Promise<number> =>
  tx.$count(apiKeys, validOf(userId, now));

/** Their names, the oldest first. */
export async function validNames(tx: Db, userId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(validOf(userId, now))
    .orderBy(apiKeys.createdAt, apiKeys.id)
    .limit(mostKeys);
  return rows.map(({ name }) => name);
}

export const revokeAll = (tx: Db, userId: string, at: Date): Promise<KeyRow[]> =>
  tx.update(apiKeys).set({ revokedAt: at }).where(validOf(userId, at)).returning();

/** The newest keys of everyone; no installation needs more than these. */
export const newestKeys = (db: Db): Promise<KeyRow[]> =>
  db.select().from(apiKeys).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)).limit(mostKeysShown);

/** Revokes a key. Returns the row, and whether this call revoked it; null if there is no such key. */
export async function revoke(
  tx: Db,
  id: string,
  at: Date,
): Promise<{ row: KeyRow; isEndedNow: boolean } | null> {
  const [ended] = await tx
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning();
  if (ended !== undefined) return { row: ended, isEndedNow: true };
  const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
  return row === undefined ? null : { row, isEndedNow: false };
}

/** Records the use of a key, up to once a minute for each. */
export async function noteUse(
  db: Db,
  { id, network }: Pick<KeyRow, 'id' | 'network'>,
  { at, minuteAgo }: { at: Date; minuteAgo: Date },
): Promise<void> {
  await db
    .update(apiKeys)
    .set({ usedAt: at, network: sql`${network}` })
    .where(and(eq(apiKeys.id, id), or(isNull(apiKeys.usedAt), lt(apiKeys.usedAt, minuteAgo))));
}

export const erasure = {
  api_keys: (tx, personId) => tx.delete(apiKeys).where(eq(apiKeys.userId, personId)),
} satisfies Erasure;
