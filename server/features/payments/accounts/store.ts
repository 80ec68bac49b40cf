import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { paymentAccounts } from '../../../schema/payments.ts';
import type { ProviderKind } from '../authorizations/store.ts';
import { accountTroubles } from '../rules/next-step.ts';

export type AccountRow = typeof paymentAccounts.$inferSelect;

/** Maximum accounts read in one round of the clock; the rest follows in the next. */
const mostAtOnce = 40;

export async function accountOf(db: Db, userId: string, provider: ProviderKind): Promise<AccountRow | null> {
  const own = and(eq(paymentAccounts.userId, userId), eq(paymentAccounts.provider, provider));
  return (await db.select().from(paymentAccounts).where(own))[0] ?? null;
}

export async function accountById(db: Db, accountId: string): Promise<AccountRow | null> {
  const rows = await db.select().from(paymentAccounts).where(eq(paymentAccounts.accountId, accountId));
  return rows[0] ?? null;
}

/** Notes a person's account; the first one stays. */
export async function saveAccount(db: Db, row: typeof paymentAccounts.$inferInsert): Promise<void> {
  await db.insert(paymentAccounts).values(row).onConflictDoNothing();
}

/** Writes what was read of an account; null where another read has been stored since `seen`. */
export async function updateAccount(
  db: Db,
  { accountId, factsVersion }: Pick<AccountRow, 'accountId' | 'factsVersion'>,
  set: Pick<AccountRow, 'state' | 'missing' | 'checkedAt'>,
): Promise<AccountRow | null> {
  const asSeen = and(
    eq(paymentAccounts.accountId, accountId),
    eq(paymentAccounts.factsVersion, factsVersion),
  );
  const next = { ...set, factsVersion: factsVersion + 1 };
  return (await db.update(paymentAccounts).set(next).where(asSeen).returning())[0] ?? null;
}

/**
 * Accounts to be read again, those first that were not read for longest: after `soon` those whose papers are
 * being checked, or whose driver has refused authorizations; all others after `later`.
 */
export async function accountsToRead(
  db: Db,
  provider: ProviderKind,
  before: { soon: Date; later: Date },
): Promise<AccountRow[]> {
  const [soon, all] = [before.soon.toISOString(), before.later.toISOString()];
  const own = sql`a.provider = ${provider}`;
  // Each part reads an index of its own; the last one begins with the refusals, which are few.
  const found = await db.execute<{ id: string }>(sql`
    select account_id as id from (
      (select account_id, checked_at from payment_accounts a where ${own} and checked_at <= ${all}
        order by checked_at limit ${mostAtOnce})
      union
      (select account_id, checked_at from payment_accounts a where ${own} and checked_at <= ${soon}
        and state in ('started', 'restricted') order by checked_at limit ${mostAtOnce})
      union
      (select account_id, checked_at from (
          select distinct driver_id from authorizations where is_current and goal <> 'cancel'
            and state = 'requires_payment_method' and decline_code = any(${sql.param([...accountTroubles])}::text[])
        ) refused join payment_accounts a on a.user_id = refused.driver_id
        where ${own} and checked_at <= ${soon} order by checked_at limit ${mostAtOnce})
    ) as due order by checked_at limit ${mostAtOnce}`);
  const ids = found.rows.map(({ id }) => id);
  const rows = await db.select().from(paymentAccounts).where(inArray(paymentAccounts.accountId, ids));
  return rows.toSorted((one, other) => one.checkedAt.getTime() - other.checkedAt.getTime());
}
