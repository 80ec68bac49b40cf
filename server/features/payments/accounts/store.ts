import { and, asc, eq, inArray, lte, or, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { paymentAccounts } from '../../../schema/payments.ts';
import { accountTroubles } from '../rules/next-step.ts';
import type { ProviderKind } from '../authorizations/store.ts';

export type AccountRow = typeof paymentAccounts.$inferSelect;

/** So many are read in one round of the clock; the rest follows in the next. */
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

export async function updateAccount(
  db: Db,
  accountId: string,
  set: Pick<AccountRow, 'state' | 'missing' | 'checkedAt'>,
): Promise<AccountRow | null> {
  const known = eq(paymentAccounts.accountId, accountId);
  return (await db.update(paymentAccounts).set(set).where(known).returning())[0] ?? null;
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
  const { state, checkedAt, userId } = paymentAccounts;
  const isPressing = or(
    inArray(state, ['started', 'restricted']),
    sql`exists (select from card_holds h where h.driver_id = ${userId} and h.is_current and h.goal <> 'release'
      and h.state = 'requires_payment_method' and h.decline_code = any(${sql.param([...accountTroubles])}::text[]))`,
  );
  const due = or(lte(checkedAt, before.later), and(lte(checkedAt, before.soon), isPressing));
  return db
    .select()
    .from(paymentAccounts)
    .where(and(eq(paymentAccounts.provider, provider), due))
    .orderBy(asc(checkedAt))
    .limit(mostAtOnce);
}
