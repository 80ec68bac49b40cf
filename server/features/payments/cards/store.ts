import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { cards, payers } from '../../../schema/payments.ts';
import type { ProviderKind } from '../authorizations/store.ts';

export type CardRow = typeof cards.$inferSelect;

export async function payerOf(db: Db, userId: string, provider: ProviderKind): Promise<string | null> {
  const own = and(eq(payers.userId, userId), eq(payers.provider, provider));
  const [row] = await db.select().from(payers).where(own);
  return row?.customerId ?? null;
}

/** Notes whom the provider knows a person as; the first one stays. */
export async function savePayer(db: Db, row: typeof payers.$inferInsert): Promise<string> {
  await db.insert(payers).values(row).onConflictDoNothing();
  return (await payerOf(db, row.userId, row.provider)) ?? row.customerId;
}

export async function payerByCustomer(db: Db, customerId: string): Promise<string | null> {
  const [row] = await db.select().from(payers).where(eq(payers.customerId, customerId));
  return row?.userId ?? null;
}

/** The saved cards of a person, the newest first. */
export async function cardsOf(db: Db, userId: string, provider: ProviderKind): Promise<CardRow[]> {
  const own = and(eq(cards.userId, userId), eq(cards.provider, provider));
  return db.select().from(cards).where(own).orderBy(asc(cards.position));
}

/** How many reads of a person's cards have been stored. */
export async function cardReadsOf(db: Db, userId: string, provider: ProviderKind): Promise<number> {
  const own = and(eq(payers.userId, userId), eq(payers.provider, provider));
  const [row] = await db.select({ cardReads: payers.cardReads }).from(payers).where(own);
  return row?.cardReads ?? 0;
}

/**
 * Replaces the stored cards of a person. False, and nothing is replaced, where another read has been stored
 * since `cardReads` was read: only a third read shows which of the two is the newer one.
 */
export async function saveCards(
  tx: Db,
  { userId, provider, cardReads }: { userId: string; provider: ProviderKind; cardReads: number },
  rows: readonly (typeof cards.$inferInsert)[],
): Promise<boolean> {
  const own = and(eq(payers.userId, userId), eq(payers.provider, provider));
  const kept = await tx
    .update(payers)
    .set({ cardReads: cardReads + 1 })
    .where(and(own, eq(payers.cardReads, cardReads)))
    .returning({ userId: payers.userId });
  if (kept.length === 0) return false;
  await tx.delete(cards).where(and(eq(cards.userId, userId), eq(cards.provider, provider)));
  if (rows.length > 0)
    await tx
      .insert(cards)
      .values([...rows])
      .onConflictDoNothing();
  return true;
}
