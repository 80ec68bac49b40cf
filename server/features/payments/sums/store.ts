import { and, asc, eq, gt, lte, max, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { ledgerLines, ledgerSums, providerTransactions } from '../../../schema/payments.ts';
import type { ProviderKind } from '../authorizations/store.ts';
import type { OpenSum } from '../rules/open-sums.ts';

type Sums = Record<string, number>;

/** Lines that one transaction adds up. */
const pageLines = 10_000;
/**
 * A large ledger whose sums have never been stored is added up over several rounds, each of at most this many
 * pages.
 */
const mostPages = 20;

/** Leaves out lines about another provider's balance. */
const isOf = (provider: ProviderKind): SQL => sql`
  (${ledgerLines.what} <> 'balance' or exists (
    select from ${providerTransactions} l where l.entry_id = ${ledgerLines.entryId} and l.provider = ${provider}))
  and coalesce((select h.provider from authorizations h where h.id = ${ledgerLines.authorizationId}), ${provider}) = ${provider}`;

/** Sums of the ledger by account: the stored ones, and the lines since. */
export async function sumsOf(db: Db, provider: ProviderKind): Promise<Map<string, number>> {
  const kept = sql`from ${ledgerSums} k where k.provider = ${provider}`;
  const { rows } = await db.execute<{ account: string; cents: string }>(sql`
    select account, sum(cents) as cents from (
      select each.key as account, each.value::bigint as cents
      from (select k.sums ${kept}) k cross join lateral jsonb_each_text(k.sums) each
      union all
      select ${ledgerLines.account}, ${ledgerLines.cents} from ${ledgerLines}
      where ${ledgerLines.id} > coalesce((select k.until_id ${kept}), 0) and ${isOf(provider)}
    ) both_parts group by account`);
  return new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
}

/**
 * Adds the lines of the ledger to the stored sums, and a page of lines to a second count from the beginning:
 * it must come to the same, and replaces the sums where it does not.
 * @returns false where the two differed.
 */
export async function keepSums(
  db: Db,
  provider: ProviderKind,
  { page = pageLines, pages = mostPages }: { page?: number; pages?: number } = {},
): Promise<boolean> {
  await db.insert(ledgerSums).values({ provider }).onConflictDoNothing();
  for (let added = 0; added < pages; added++) if (!(await addPage(db, provider, page))) break;
  return checkPage(db, provider, page);
}

/** Sums that should come to zero at rest and are open, locked for the transaction that checks them again. */
export async function lockOpenSums(tx: Db, provider: ProviderKind): Promise<Record<string, OpenSum>> {
  await tx.insert(ledgerSums).values({ provider }).onConflictDoNothing();
  const own = eq(ledgerSums.provider, provider);
  const rows = await tx.select({ openSums: ledgerSums.openSums }).from(ledgerSums).where(own).for('update');
  return rows[0]?.openSums ?? {};
}

export async function saveOpenSums(
  tx: Db,
  provider: ProviderKind,
  openSums: Record<string, OpenSum>,
): Promise<void> {
  await tx.update(ledgerSums).set({ openSums }).where(eq(ledgerSums.provider, provider));
}

/** Reads the sums for a change; null while another process changes them. */
async function holdSums(tx: Db, provider: ProviderKind): Promise<typeof ledgerSums.$inferSelect | null> {
  const own = eq(ledgerSums.provider, provider);
  return (await tx.select().from(ledgerSums).where(own).for('update', { skipLocked: true }))[0] ?? null;
}

/**
 * Adds a page of lines from before the last round; true where more follow. Lines are numbered before they are
 * committed: those up to a number are complete when no transaction runs that ran when the number was the
 * latest.
 */
const addPage = (db: Db, provider: ProviderKind, page: number): Promise<boolean> =>
  db.transaction(async (tx) => {
    const kept = await holdSums(tx, provider);
    if (kept === null) return false;
    const [latest] = await tx
      .select({
        id: sql<string>`coalesce(${max(ledgerLines.id)}, 0)`,
        xid: sql<string>`pg_snapshot_xmax(pg_current_snapshot())::text`,
        isSettled: sql<boolean>`pg_snapshot_xmin(pg_current_snapshot()) >= ${kept.latestXid}::xid8`,
      })
      .from(ledgerLines);
    if (!latest!.isSettled) return false;
    const { sums, lastId, isFull } = await pageAfter(tx, provider, {
      after: kept.untilId,
      until: kept.latestId,
      page,
    });
    await tx
      .update(ledgerSums)
      .set({
        sums: added(kept.sums, sums),
        untilId: lastId,
        ...(isFull ? {} : { latestId: Number(latest!.id), latestXid: latest!.xid }),
      })
      .where(eq(ledgerSums.provider, provider));
    return isFull;
  });

/** Counts a page once more; false where all lines have been counted and come to something else. */
const checkPage = (db: Db, provider: ProviderKind, page: number): Promise<boolean> =>
  db.transaction(async (tx) => {
    const kept = await holdSums(tx, provider);
    if (kept === null) return true;
    const { sums, lastId, isFull } = await pageAfter(tx, provider, {
      after: kept.checkedId,
      until: kept.untilId,
      page,
    });
    const counted = added(kept.checkedSums, sums);
    const own = eq(ledgerSums.provider, provider);
    if (isFull) {
      await tx.update(ledgerSums).set({ checkedSums: counted, checkedId: lastId }).where(own);
      return true;
    }
    await tx.update(ledgerSums).set({ sums: counted, checkedSums: {}, checkedId: 0 }).where(own);
    return areSame(kept.sums, counted);
  });

/** The sums of the next lines, the number of the last one, and whether there may be more. */
async function pageAfter(
  tx: Db,
  provider: ProviderKind,
  { after, until, page }: { after: number; until: number; page: number },
): Promise<{ sums: Sums; lastId: number; isFull: boolean }> {
  const lines = tx
    .select({ id: ledgerLines.id })
    .from(ledgerLines)
    .where(and(gt(ledgerLines.id, after), lte(ledgerLines.id, until)))
    .orderBy(asc(ledgerLines.id))
    .limit(page);
  const { rows } = await tx.execute<{ last_id: string | null; count: number; sums: Sums }>(sql`
    with lines as (${lines}), sums as (
      select account, sum(cents) as cents from ${ledgerLines}
      where id > ${after} and id <= (select max(id) from lines) and ${isOf(provider)} group by account)
    select (select max(id) from lines) as last_id, (select count(*)::int from lines) as count,
      coalesce((select jsonb_object_agg(account, cents) from sums), '{}') as sums`);
  const { last_id: lastId, count, sums } = rows[0]!;
  return { sums, lastId: Number(lastId ?? after), isFull: count === page };
}

const added = (to: Sums, sums: Sums): Sums => {
  const all = { ...to };
  for (const [account, cents] of Object.entries(sums)) all[account] = (all[account] ?? 0) + cents;
  return all;
};

const areSame = (a: Sums, b: Sums): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (account) => (a[account] ?? 0) === (b[account] ?? 0),
  );
