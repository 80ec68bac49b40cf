import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../platform/platform.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { BalanceLine } from '../provider/balance-calls.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import type { LedgerLine } from '../rules/ledger.ts';
import { writeLedger } from '../store.ts';
import { entryOf } from './entry.ts';
import * as store from './store.ts';

export type Books = ReturnType<typeof createBooks>;

/** Whether the ledger says what the provider's balance says, and what else does not fit. */
export interface BooksCompared {
  ledgerCents: number;
  providerCents: number;
  /**
   * What holds have moved and the provider has not booked yet, or the other way round, by account; all zero at rest.
   * `cards`: paid by passengers; `drivers`: earned by drivers; `disputes`: taken back by banks.
   */
  openCents: { cards: number; drivers: number; disputes: number };
}

const leaseMs = 5 * minuteMs;
/** A line may be seen later than one that was written after it: so far back the list is read again. */
const overlapMs = 10 * minuteMs;
const mostTries = 5;

/** The ledger's other half: every line of the platform's balance at the provider, booked once. */
export function createBooks({ db, transact, clock, log }: Platform, provider: CardProvider) {
  const feed = { provider: provider.kind, feed: 'balance' } as const;

  async function enter(lines: readonly BalanceLine[]): Promise<void> {
    const rows = lines.map((line) => ({ ...line, provider: provider.kind, entryId: randomUUID() }));
    await transact(async (tx) => {
      const added = await store.insertLines(tx, rows);
      const entries = rows.filter(({ id }) => added.has(id)).flatMap(ledgerLinesOf);
      await writeLedger(tx, entries);
    });
  }

  /** Books everything, from the newest line to the oldest. The newest one that surely follows nothing unseen; null for none. */
  async function bookAll(settledBefore: Date): Promise<string | null> {
    let last: string | null = null;
    let from: { before: string } | null = null;
    for (;;) {
      const read = await provider.balanceLines(from);
      if (read.outcome !== 'done') return null;
      const { lines, hasMore } = read.value;
      await enter(lines);
      last ??= lines.find(({ at }) => at <= settledBefore)?.id ?? null;
      const oldest = lines.at(-1);
      if (!hasMore || oldest === undefined) return last;
      from = { before: oldest.id };
    }
  }

  /** Books what follows a line, the oldest first. */
  async function bookAfter(cursor: string, settledBefore: Date): Promise<void> {
    let last = cursor;
    let at = cursor;
    for (;;) {
      const read = await provider.balanceLines({ after: at });
      if (read.outcome === 'refused') {
        log.error({ cursor, code: read.code }, 'the lines of the balance are read from the beginning');
        await store.keepCursor(db, feed, { lastId: null, leaseEndsAt: later(clock.now(), leaseMs) });
      }
      if (read.outcome !== 'done') return;
      const { lines, hasMore } = read.value;
      await enter(lines);
      last = lines.find((line) => line.at <= settledBefore)?.id ?? last;
      await store.keepCursor(db, feed, { lastId: last, leaseEndsAt: later(clock.now(), leaseMs) });
      const newest = lines[0];
      if (!hasMore || newest === undefined) return;
      at = newest.id;
    }
  }

  /** Books what is new in the provider's balance; by one process at a time. */
  async function book(): Promise<void> {
    const now = clock.now();
    if (!(await store.leaseFeed(db, feed, now, later(now, leaseMs)))) return;
    try {
      const cursor = await store.cursorOf(db, feed);
      const settledBefore = later(now, -overlapMs);
      if (cursor !== null) return await bookAfter(cursor, settledBefore);
      const lastId = await bookAll(settledBefore);
      await store.keepCursor(db, feed, { lastId, leaseEndsAt: later(now, leaseMs) });
    } finally {
      await store.endLease(db, feed);
    }
  }

  let last: (BooksCompared & { at: string }) | null = null;

  return {
    book,

    /** What the last comparison of this process found. */
    last: async () => last,

    /** Books what is new, then compares. Null while the provider does not answer, or its balance does not stand still. */
    async compare(): Promise<BooksCompared | null> {
      for (let tries = 0; tries < mostTries; tries++) {
        const before = await provider.platformBalance();
        await book();
        const sums = await store.sumsOf(db, provider.kind);
        const after = await provider.platformBalance();
        if (before.outcome !== 'done' || after.outcome !== 'done') return null;
        if (before.value !== after.value) continue;
        const of = (account: string) => sums.get(account) ?? 0;
        const found: BooksCompared = {
          ledgerCents: of('provider.balance'),
          providerCents: after.value,
          openCents: {
            cards: of('cards') + of('provider.cards'),
            drivers: of('drivers') + of('provider.drivers'),
            disputes: of('disputes') + of('provider.disputes'),
          },
        };
        last = { ...found, at: clock.now().toISOString() };
        return found;
      }
      return null;
    },
  };
}

function ledgerLinesOf(line: BalanceLine & { entryId: string }): LedgerLine[] {
  const { entryId, at } = line;
  return Object.entries(entryOf(line)).map(([account, cents]) => ({
    entryId,
    account,
    cents,
    holdId: null,
    what: 'balance',
    at,
  }));
}
