import type { App } from '../../../app-type.ts';
import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../platform/platform.ts';
import { minuteMs } from '../../../platform/clock.ts';
import type { BalanceLine } from '../provider/balance-calls.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import { readFeed, type PageFrom } from '../provider/read-feed.ts';
import type { LedgerLine } from '../rules/ledger.ts';
import { entryOf } from './entry.ts';
import { keepSums, sumsOf } from '../sums/store.ts';
import * as store from './store.ts';

export type Books = ReturnType<typeof createBooks>;

/** Whether the ledger says what the provider's balance says, and what else does not fit. */
export interface BooksCompared {
  ledgerCents: number;
  providerCents: number;
  /**
   * What payments have moved and the provider has not booked yet, or the other way round, by account; all
   * zero at rest. `cards`: paid by passengers; `drivers`: earned by drivers; `disputes`: taken back by banks.
   */
  openCents: { cards: number; drivers: number; disputes: number };
}

const leaseMs = 5 * minuteMs;
const mostTries = 5;

/** The ledger's other half: every line of the platform's balance at the provider, booked once. */
export function createBooks(platform: App, provider: CardProvider) {
  let last: (BooksCompared & { at: string }) | null = null;

  return {
    /** Books what is new in the provider's balance. */
    async book(): Promise<void> {
      await book(platform, provider);
    },

    /** Adds to the sums that the comparison reads what the ledger has got since the last round. */
    async addUp(): Promise<void> {
      if (!(await keepSums(platform.db, provider.kind)))
        platform.log.error('the kept sums of the ledger were not those of its lines; they are now');
    },

    /** What the last comparison of this process found. */
    last: async () => last,

    /**
     * Books what is new, then compares. Null while the provider does not answer, its balance does not stand
     * still, or another process, perhaps one that has ended, has the lines of the balance for itself.
     */
    async compare(): Promise<BooksCompared | null> {
      for (let tries = 0; tries < mostTries; tries++) {
        const before = await provider.platformBalance();
        if (!(await book(platform, provider))) return null;
        const sums = await sumsOf(platform.db, provider.kind);
        const after = await provider.platformBalance();
        if (before.outcome !== 'done' || after.outcome !== 'done') return null;
        if (before.value !== after.value) continue;
        const found = comparedWith(after.value, sums);
        last = { ...found, at: platform.clock.now().toISOString() };
        return found;
      }
      return null;
    },
  };
}

/** Books what is new in the provider's balance; by one process at a time. False if not all of it was. */
const book = (platform: App, provider: CardProvider): Promise<boolean> =>
  readFeed(platform, {
    feed: { provider: provider.kind, feed: 'balance' },
    leaseMs,
    page: (from: PageFrom) => provider.balanceLines(from),
    keep: (lines) => enter(platform, provider, lines),
    onLostCursor: (cursor, code) =>
      platform.log.error({ cursor, code }, 'the lines of the balance are read from the beginning'),
  });

async function enter(
  { transact }: Platform,
  provider: CardProvider,
  lines: readonly BalanceLine[],
): Promise<void> {
  const rows = lines.map((line) => ({ ...line, provider: provider.kind, entryId: randomUUID() }));
  await transact(async (tx) => {
    const added = await store.insertLines(tx, rows);
    const entries = rows.filter(({ id }) => added.has(id)).flatMap(ledgerLinesOf);
    await store.writeLedger(tx, entries);
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
