import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { ledgerLines, providerCursors, providerLines } from '../../../schema/payments.ts';
import type { ProviderKind } from '../store.ts';

type Feed = (typeof providerCursors.$inferSelect)['feed'];
interface OfFeed {
  provider: ProviderKind;
  feed: Feed;
}

const own = ({ provider, feed }: OfFeed) =>
  and(eq(providerCursors.provider, provider), eq(providerCursors.feed, feed));

/**
 * Makes the caller the one who reads a list of the provider, until the lease ends; false while another process does. A row
 * and not an advisory lock, because reading takes no connection meanwhile.
 */
export async function leaseFeed(db: Db, of: OfFeed, now: Date, leaseEndsAt: Date): Promise<boolean> {
  await db.insert(providerCursors).values(of).onConflictDoNothing();
  const isFree = sql`(${providerCursors.leaseEndsAt} is null or ${providerCursors.leaseEndsAt} <= ${now.toISOString()})`;
  const taken = await db
    .update(providerCursors)
    .set({ leaseEndsAt })
    .where(and(own(of), isFree))
    .returning();
  return taken.length > 0;
}

export async function endLease(db: Db, of: OfFeed): Promise<void> {
  await db.update(providerCursors).set({ leaseEndsAt: null }).where(own(of));
}

export async function cursorOf(db: Db, of: OfFeed): Promise<string | null> {
  return (await db.select().from(providerCursors).where(own(of)))[0]?.lastId ?? null;
}

/** Keeps how far a list has been read, and the lease of the one who reads it. */
export async function keepCursor(
  db: Db,
  of: OfFeed,
  set: { lastId: string | null; leaseEndsAt: Date },
): Promise<void> {
  await db.update(providerCursors).set(set).where(own(of));
}

/** Writes down lines that are new; returns their ids. */
export async function insertLines(
  tx: Db,
  rows: readonly (typeof providerLines.$inferInsert)[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const added = await tx
    .insert(providerLines)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ id: providerLines.id });
  return new Set(added.map(({ id }) => id));
}

/** Sums of the ledger by account; what was booked of another provider's balance is left out. */
export async function sumsOf(db: Db, provider: ProviderKind): Promise<Map<string, number>> {
  const rows = await db
    .select({ account: ledgerLines.account, cents: sql<string>`sum(${ledgerLines.cents})` })
    .from(ledgerLines)
    .where(
      sql`(${ledgerLines.what} <> 'balance' or exists (
        select from ${providerLines} l where l.entry_id = ${ledgerLines.entryId} and l.provider = ${provider}))
        and not exists (
        select from card_holds h where h.id = ${ledgerLines.holdId} and h.provider <> ${provider})`,
    )
    .groupBy(ledgerLines.account);
  return new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
}
