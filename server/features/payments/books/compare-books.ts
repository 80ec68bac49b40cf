import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import { minuteMs } from '../../../platform/clock.ts';
import type { BalanceLine } from '../provider/balance-calls.ts';
import { readFeed, type PageFrom } from '../provider/read-feed.ts';
import type { LedgerLine } from '../rules/ledger.ts';
import type { BooksCompared } from '../state.ts';
import { sumsOf } from '../sums/store.ts';
import { entryOf } from './entry.ts';
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
