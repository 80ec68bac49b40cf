import { eq, sql, type SQL } from 'drizzle-orm';
import { allowLongStatements, type Db } from '../../../platform/database/db.ts';
import { ledgerLines, ledgerSums, openSums, providerTransactions } from '../../../schema/payments.ts';
import type { ProviderKind } from '../authorizations/store.ts';
import type { OpenSum } from '../rules/open-sums.ts';

/** Rows that one statement adds up. */
const rowsAtOnce = 10_000;

/** Sums of the ledger by account: of all entries that are committed. */
export async function sumsOf(db: Db, provider: ProviderKind): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ account: string; cents: string }>(sql`
    select account, sum(cents) as cents from ${ledgerSums} where ${eq(ledgerSums.provider, provider)} group by account`);
  return new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
}

/** Adds up what entries have added since, so that the sums are a row for each account; they stay the same. */
export async function addUpSums(db: Db, provider: ProviderKind, most: number = rowsAtOnce): Promise<void> {
  for (let added = most; added === most;) {
    const { rows } = await db.execute<{ count: number }>(sql`
      with added as (
        delete from ledger_sums where id = any(array(
          select id from ledger_sums where provider = ${provider} order by id limit ${most}::int for update skip locked))
        returning account, cents
      ), made as (
        insert into ledger_sums (provider, account, cents)
        select ${provider}, account, sum(cents) from added group by account
      )
      select count(*)::int as count from added`);
    added = rows[0]!.count;
  }
}

/** Leaves out lines about another provider's balance. */
const isOf = (provider: ProviderKind): SQL => sql`
  (${ledgerLines.what} <> 'balance' or exists (
    select from ${providerTransactions} l where l.entry_id = ${ledgerLines.entryId} and l.provider = ${provider}))
  and coalesce((select h.provider from authorizations h where h.id = ${ledgerLines.authorizationId}), ${provider}) = ${provider}`;

/**
 * Reads the whole ledger, and replaces sums that are not those of its lines.
 * @returns false where they were not
 */
export const recountSums = (db: Db, provider: ProviderKind): Promise<boolean> =>
  db.transaction(async (tx) => {
    await allowLongStatements(tx);
    await lockOpenSums(tx, provider);
    // One statement: an entry's lines and what it adds to the sums are committed together.
    const { rows } = await tx.execute(sql`
      with wrong as (
        select account, sum(cents) as cents from (
          select account, cents from ${ledgerLines} where ${isOf(provider)}
          union all select account, -cents from ledger_sums where provider = ${provider}
        ) compared group by account having sum(cents) <> 0
      )
      insert into ledger_sums (provider, account, cents) select ${provider}, account, cents from wrong returning 1`);
    return rows.length === 0;
  });

/** Sums that should come to zero at rest and are open, locked for the transaction that checks them again. */
export async function lockOpenSums(tx: Db, provider: ProviderKind): Promise<Record<string, OpenSum>> {
  await tx.insert(openSums).values({ provider }).onConflictDoNothing();
  const own = eq(openSums.provider, provider);
  const rows = await tx.select({ sums: openSums.sums }).from(openSums).where(own).for('update');
  return rows[0]?.sums ?? {};
}

export async function saveOpenSums(
  tx: Db,
  provider: ProviderKind,
  sums: Record<string, OpenSum>,
): Promise<void> {
  await tx.update(openSums).set({ sums }).where(eq(openSums.provider, provider));
}
