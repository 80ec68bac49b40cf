import { sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { ledgerLines, providerLines } from '../../../schema/payments.ts';
import type { ProviderKind } from '../authorizations/store.ts';
import type { LedgerLine } from '../rules/ledger.ts';

export async function writeLedger(tx: Db, lines: readonly LedgerLine[]): Promise<void> {
  if (lines.length > 0) await tx.insert(ledgerLines).values([...lines]);
}

/** What the ledger says of authorizations, by account name. */
export async function ledgerOf(
  db: Db,
  holdIds: readonly string[],
): Promise<Map<string, Record<string, number>>> {
  const found = new Map<string, Record<string, number>>();
  if (holdIds.length === 0) return found;
  const rows = await db
    .select({
      holdId: ledgerLines.holdId,
      account: ledgerLines.account,
      cents: sql<string>`sum(${ledgerLines.cents})`,
    })
    .from(ledgerLines)
    // One parameter, however many they are.
    .where(sql`${ledgerLines.holdId} = any(${sql.param([...holdIds])}::uuid[])`)
    .groupBy(ledgerLines.holdId, ledgerLines.account);
  for (const { holdId, account, cents } of rows)
    if (holdId !== null) found.set(holdId, { ...found.get(holdId), [account]: Number(cents) });
  return found;
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
