import { sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { ledgerLines, ledgerSums, providerTransactions } from '../../../schema/payments.ts';
import type { ProviderKind } from '../authorizations/store.ts';
import type { LedgerLine } from '../rules/ledger.ts';

/** Writes entries about a provider's money, and what they add to the sums of the ledger. */
export async function writeLedger(
  tx: Db,
  provider: ProviderKind,
  lines: readonly LedgerLine[],
): Promise<void> {
  if (lines.length === 0) return;
  await tx.insert(ledgerLines).values([...lines]);
  await tx.insert(ledgerSums).values(lines.map(({ account, cents }) => ({ provider, account, cents })));
}

/** The ledger's sums of authorizations, by account name. */
export async function ledgerOf(
  db: Db,
  holdIds: readonly string[],
): Promise<Map<string, Record<string, number>>> {
  const found = new Map<string, Record<string, number>>();
  if (holdIds.length === 0) return found;
  const rows = await db
    .select({
      authorizationId: ledgerLines.authorizationId,
      account: ledgerLines.account,
      cents: sql<string>`sum(${ledgerLines.cents})`,
    })
    .from(ledgerLines)
    // One parameter, however many they are.
    .where(sql`${ledgerLines.authorizationId} = any(${sql.param([...holdIds])}::uuid[])`)
    .groupBy(ledgerLines.authorizationId, ledgerLines.account);
  for (const { authorizationId, account, cents } of rows)
    if (authorizationId !== null)
      found.set(authorizationId, { ...found.get(authorizationId), [account]: Number(cents) });
  return found;
}

/** Writes down lines that are new; returns their ids. */
export async function insertLines(
  tx: Db,
  rows: readonly (typeof providerTransactions.$inferInsert)[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const added = await tx
    .insert(providerTransactions)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ id: providerTransactions.id });
  return new Set(added.map(({ id }) => id));
}
