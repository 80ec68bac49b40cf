import type { OutputOf } from '#contract/define.ts';
import type { paymentAccount } from '#contract/payments/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { hasRefusedAuthorizations } from '../authorizations/store.ts';
import type { DriverAccount } from '../provider/account-calls.ts';
import { registrationFailed, requireCards, valueOf } from '../provider/outcomes.ts';
import { accountOf, type AccountRow } from './store.ts';
import * as store from './store.ts';

/** The state of a driver's account, with its balance and payouts where the provider answers. */
export async function showAccount(app: App, userId: string): Promise<OutputOf<typeof paymentAccount>> {
  const known = await accountOf(app.db, userId, app.payments.provider.kind);
  if (known === null) return { state: 'none', missing: [], balance: null, payouts: [] };
  const [account, balance, payouts] = await Promise.all([
    readAccount(app, known),
    app.payments.provider.earnings(known.accountId),
    app.payments.provider.payouts(known.accountId),
  ]);
  return {
    state: account.state,
    missing: account.missing,
    balance: balance.outcome === 'done' ? balance.value : null,
    payouts:
      payouts.outcome === 'done'
        ? payouts.value.map((payout) => ({ ...payout, arrivesAt: payout.arrivesAt.toISOString() }))
        : [],
  };
}

/**
 * The address where a driver goes on entering what is needed to be paid. Refuses `payment.accountRejected`.
 */
export async function linkToOnboarding(app: App, userId: string): Promise<{ url: string }> {
  const { env } = app;
  requireCards(env);
  const account = await openAccount(app, userId);
  if (account.state === 'rejected')
    throw new Refusal(
      'payment.accountRejected',
      'The card provider closed this payment account. Please write to us.',
    );
  const landing = `${env.publicUrl}/pages/account/stripelanding`;
  const link = await app.payments.provider.onboardingUrl(
    { accountId: account.accountId, returnUrl: landing, refreshUrl: `${landing}?again=1` },
    crypto.randomUUID(),
  );
  return { url: valueOf(link, registrationFailed) };
}

/** A driver's account, opened at the provider where they have none. */
async function openAccount(app: App, userId: string): Promise<AccountRow> {
  const { db, clock } = app;
  const known = await store.accountOf(db, userId, app.payments.provider.kind);
  if (known !== null) return known;
  const email = (await contactDetailsOf(app, [userId])).get(userId)?.email ?? '';
  const made = valueOf(
    await app.payments.provider.createAccount({ email, metadata: { user: userId } }, `account:${userId}`),
    registrationFailed,
  );
  const now = clock.now();
  await store.saveAccount(db, {
    userId,
    provider: app.payments.provider.kind,
    accountId: made.id,
    state: made.state,
    missing: [...made.missing],
    createdAt: now,
    checkedAt: now,
  });
  return (await store.accountOf(db, userId, app.payments.provider.kind))!;
}

const readEveryMs = 10 * minuteMs;
const readAllEveryMs = dayMs;

/** Maximum reads of an account while other reads of it overtake. */
const mostReads = 5;

/**
 * Reads an account from the provider, again where another read has overtaken; null while the provider does
 * not answer. One that the provider no longer knows stays as it was.
 */
async function readAnswered(app: App, account: AccountRow): Promise<AccountRow | null> {
  for (let seen = account, reads = 0; reads < mostReads; reads++) {
    const read = await app.payments.provider.account(seen.accountId);
    if (read.outcome === 'refused') return seen;
    if (read.outcome !== 'done') return null;
    const kept = await recordAccount(app, seen, read.value);
    if (kept !== null) return kept;
    const now = await store.accountById(app.db, seen.accountId);
    if (now === null) return seen;
    seen = now;
  }
  return null;
}

/** Writes the provider's state of an account; null where another read has been stored since `seen`. */
function recordAccount(
  { transact, clock, outbox }: App,
  seen: AccountRow,
  { state, missing }: DriverAccount,
): Promise<AccountRow | null> {
  const { userId } = seen;
  return transact('record account', async (tx) => {
    const at = clock.now();
    const set = { state, missing: [...missing], checkedAt: at };
    const updated = await store.updateAccount(tx, seen, set);
    if (updated === null) return null;
    // Restricted and repaired between two reads: authorizations refused meanwhile are placed again, though
    // nothing seems to have moved.
    const isRepaired =
      state === 'verified' && (await hasRefusedAuthorizations(tx, userId, later(at, -readEveryMs)));
    if (seen.state !== state || isRepaired) await outbox.emit(tx, 'account.moved', { userId, state }, userId);
    return updated;
  });
}

/** Reads an account from the provider; the stored state is returned while it does not answer. */
const readAccount = async (app: App, account: AccountRow): Promise<AccountRow> =>
  (await readAnswered(app, account)) ?? account;

/** Reads the account that an event is about. @throws Error where the provider does not answer. */
export async function readAccountById(app: App, accountId: string): Promise<void> {
  const known = await store.accountById(app.db, accountId);
  if (known !== null && (await readAnswered(app, known)) === null)
    throw new Error(`the account ${accountId} does not answer`);
}

/** Reads a driver's account after the provider has refused to pay it. */
export async function readAccountOfDriver(app: App, driverId: string): Promise<void> {
  const known = await store.accountOf(app.db, driverId, app.payments.provider.kind);
  if (known !== null) await readAccount(app, known);
}

/** By the clock: reads accounts in case an event was lost, the verified ones too. */
export async function readDueAccounts(app: App): Promise<void> {
  const now = app.clock.now();
  const before = { soon: later(now, -readEveryMs), later: later(now, -readAllEveryMs) };
  for (const account of await store.accountsToRead(app.db, app.payments.provider.kind, before))
    await readAccount(app, account);
}

/** Whether a driver can be paid, as last read. */
export const isAccountReady = async (app: App, tx: Db, userId: string): Promise<boolean> =>
  (await store.accountOf(tx, userId, app.payments.provider.kind))?.state === 'verified';

/** The installation's own account at the provider. */
export const providerAccount = ({ payments }: App) => payments.provider.ownAccount();
