import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { type BalanceLine, readFeed, type PageFrom } from '../provider/event-calls.ts';
import type { LedgerLine } from '../rules/ledger.ts';
import type { BooksCompared } from '../state.ts';
import { sumsOf } from '../sums/store.ts';
import * as store from './store.ts';

const leaseMs = 5 * minuteMs;
const mostTries = 5;

/**
 * Whether the ledger says what the provider's balance says, its fees, payouts and chargebacks included, and
 * what payments and provider have not both booked yet. Books what is new first. Null while the provider does
 * not answer, its balance does not stand still, or another process, perhaps one that has ended, has the lines
 * of the balance for itself.
 */
export async function compareBooks(app: App): Promise<BooksCompared | null> {
  const { provider } = app.payments;
  for (let tries = 0; tries < mostTries; tries++) {
    const before = await provider.platformBalance();
    if (!(await bookBalance(app))) return null;
    const sums = await sumsOf(app.db, provider.kind);
    const after = await provider.platformBalance();
    if (before.outcome !== 'done' || after.outcome !== 'done') return null;
    if (before.value !== after.value) continue;
    const found = comparedWith(after.value, sums);
    app.payments.lastCompared = { ...found, at: app.clock.now().toISOString() };
    return found;
  }
  return null;
}

/** Books what is new in the provider's balance; by one process at a time. False if not all of it was. */
export function bookBalance(app: App): Promise<boolean> {
  const { provider } = app.payments;
  return readFeed(app, {
    feed: { provider: provider.kind, feed: 'balance' },
    leaseMs,
    page: (from: PageFrom) => provider.balanceLines(from),
    keep: (lines) => enter(app, lines),
    onLostCursor: (cursor, code) =>
      app.log.error({ cursor, code }, 'the lines of the balance are read from the beginning'),
  });
}

async function enter({ transact, payments }: App, lines: readonly BalanceLine[]): Promise<void> {
  const provider = payments.provider.kind;
  const rows = lines.map((line) => ({ ...line, provider, entryId: randomUUID() }));
  await transact('enter balance lines', async (tx) => {
    const added = await store.insertLines(tx, rows);
    const entries = rows.filter(({ id }) => added.has(id)).flatMap(ledgerLinesOf);
    await store.writeLedger(tx, provider, entries);
  });
}

function comparedWith(providerCents: number, sums: ReadonlyMap<string, number>): BooksCompared {
  const of = (account: string) => sums.get(account) ?? 0;
  return {
    ledgerCents: of('provider.balance'),
    providerCents,
    openCents: {
      cards: of('cards') + of('provider.cards'),
      drivers: of('drivers') + of('provider.drivers'),
      disputes: of('disputes') + of('provider.disputes'),
    },
  };
}

function ledgerLinesOf(line: BalanceLine & { entryId: string }): LedgerLine[] {
  const { entryId, at } = line;
  return Object.entries(entryOf(line)).map(([account, cents]) => ({
    entryId,
    account,
    cents,
    authorizationId: null,
    what: 'balance',
    at,
  }));
}

/**
 * The accounts of the ledger that a line of the provider's balance moves. `provider.balance` is what the
 * platform has there; `provider.cards`, `provider.drivers` and `provider.disputes` are the other side of
 * `cards`, `drivers` and `disputes`, which payments move, so that each pair sums to zero once the provider
 * has booked everything.
 */
type ProviderAccount =
  | 'provider.balance'
  | 'provider.cards'
  | 'provider.drivers'
  | 'provider.disputes'
  | 'provider.fees'
  | 'provider.disputeFees'
  | 'payouts'
  | 'losses'
  | 'provider.other';

const byType: Readonly<Record<string, ProviderAccount>> = {
  charge: 'provider.cards',
  payment: 'provider.cards',
  refund: 'provider.cards',
  refund_failure: 'provider.cards',
  payment_refund: 'provider.cards',
  payment_failure_refund: 'provider.cards',
  transfer: 'provider.drivers',
  transfer_refund: 'provider.drivers',
  transfer_cancel: 'provider.drivers',
  transfer_failure: 'provider.drivers',
  application_fee: 'provider.drivers',
  application_fee_refund: 'provider.drivers',
  payout: 'payouts',
  payout_cancel: 'payouts',
  payout_failure: 'payouts',
  // The operator's deposit, so that refunds and transfers are not refused for want of money.
  topup: 'payouts',
  topup_reversal: 'payouts',
  stripe_fee: 'provider.fees',
  stripe_fx_fee: 'provider.fees',
  tax_fee: 'provider.fees',
  // A driver's account's debt that the platform answers for.
  connect_collection_transfer: 'losses',
  reserve_transaction: 'losses',
};

const disputeCategories: readonly string[] = ['dispute', 'dispute_reversal'];

/**
 * The lines of the entry for one line of the provider's balance, by account; they sum to zero. A refund
 * brings no fee back: what the provider took for the payment stays in `provider.fees`.
 */
export function entryOf(
  line: Pick<BalanceLine, 'type' | 'category' | 'amountCents' | 'feeCents' | 'netCents'>,
): Partial<Record<ProviderAccount, number>> {
  const isDispute = disputeCategories.includes(line.category);
  const other = isDispute ? 'provider.disputes' : (byType[line.type] ?? 'provider.other');
  const fees = isDispute ? 'provider.disputeFees' : 'provider.fees';
  const amounts: Partial<Record<ProviderAccount, number>> = {};
  const add = (account: ProviderAccount, cents: number) => {
    if (cents !== 0) amounts[account] = (amounts[account] ?? 0) + cents;
  };
  add('provider.balance', line.netCents);
  add(fees, line.feeCents);
  add(other, -line.amountCents);
  return amounts;
}
