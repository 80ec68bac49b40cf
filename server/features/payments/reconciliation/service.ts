import type { Platform } from '../../../platform/platform.ts';
import { hourMs, later, minuteMs } from '../../../platform/clock.ts';
import type { Alarms } from '../alarms/service.ts';
import type { Books } from '../books/service.ts';
import { endLease, keepCursor, leaseFeed } from '../books/store.ts';
import type { CardProvider, Payment } from '../provider/card-provider.ts';
import type { Authorizations } from '../authorizations/service.ts';
import * as store from '../store.ts';
import type { HoldRow, StoredDifference } from '../store.ts';

/** What stands on a card is compared so often, though nothing was heard of it. */
const compareAgainMs = 6 * hourMs;

export interface Reconciliation {
  at: Date;
  checked: number;
  differences: StoredDifference[];
}

/** What of a hold is not as the provider says, or not as the ledger says. */
export function differencesOf(
  hold: HoldRow,
  payment: Payment,
  ledger: Readonly<Record<string, number>>,
): StoredDifference[] {
  const compared: [what: string, oursCents: number, theirsCents: number][] = [
    ['held', hold.heldCents, payment.heldCents],
    ['taken', hold.takenCents, payment.takenCents],
    ['refunded', hold.refundedCents, payment.refundedCents],
    ['ledger held', ledger['cards.held'] ?? 0, payment.heldCents],
    ['ledger taken', ledger['cards'] ?? 0, payment.takenCents - payment.refundedCents],
  ];
  return compared.flatMap(([what, oursCents, theirsCents]) =>
    oursCents === theirsCents ? [] : [{ bookingId: hold.bookingId, what, oursCents, theirsCents }],
  );
}

const leaseMs = 10 * minuteMs;
const sideBySide = 8;

/**
 * Compares what is written of holds with what the provider says, and the ledger with the provider's balance; writes what
 * differs, and catches up with it. One process at a time, in pages.
 */
export function createReconciliation(
  { db, transact, clock }: Platform,
  provider: CardProvider,
  { holds, books, alarms }: { holds: Authorizations; books: Books; alarms: Alarms },
) {
  const feed = { provider: provider.kind, feed: 'comparison' } as const;

  async function compare(hold: HoldRow, ledger: Readonly<Record<string, number>>) {
    const read = await provider.payment(hold.paymentId!);
    if (!('value' in read) || read.value === null) return null;
    const found = differencesOf(hold, read.value, ledger);
    if (found.length === 0) return { hold, found };
    // A process may be working on it right now: only what still differs after another look is a difference.
    const now = await store.holdById(db, hold.id);
    if (now === null || now.factsVersion !== hold.factsVersion) return { hold, found: [] };
    const known = await holds.look(now);
    return { hold: known ?? now, found };
  }

  async function comparePage(rows: readonly HoldRow[]) {
    const ledgers = await store.ledgerOf(
      db,
      rows.map(({ id }) => id),
    );
    const compared: { hold: HoldRow; found: StoredDifference[] }[] = [];
    for (let at = 0; at < rows.length; at += sideBySide) {
      const some = rows.slice(at, at + sideBySide).map((hold) => compare(hold, ledgers.get(hold.id) ?? {}));
      compared.push(...(await Promise.all(some)).filter((each) => each !== null));
    }
    await store.noteCompared(
      db,
      compared.map(({ hold }) => hold),
      clock.now(),
    );
    return { checked: compared.length, differences: compared.flatMap(({ found }) => found) };
  }

  /** The difference between the ledger and the provider's balance; an alarm while there is one. */
  async function compareBooks(): Promise<StoredDifference[]> {
    const compared = await books.compare();
    if (compared === null) return [];
    const { ledgerCents: oursCents, providerCents: theirsCents } = compared;
    const alarm = { kind: 'books', about: '' } as const;
    if (oursCents === theirsCents) {
      await transact((tx) => alarms.isOver(tx, alarm));
      return [];
    }
    const detail = `${oursCents} / ${theirsCents}`;
    await transact((tx) => alarms.raise(tx, { ...alarm, detail }));
    return [{ bookingId: '', what: 'balance', oursCents, theirsCents }];
  }

  /** @param since compares everything that changed since then, whatever another process compares; by default only what is new. */
  return async function reconcile(since: Date | null = null): Promise<Reconciliation> {
    const at = clock.now();
    const result: Reconciliation = { at, checked: 0, differences: [] };
    if (since === null && !(await leaseFeed(db, feed, at, later(at, leaseMs)))) return result;
    try {
      const comparedBefore = later(at, -compareAgainMs);
      for (let afterId: string | null = null; ;) {
        const rows = await store.holdsToCompare(db, provider.kind, { since, comparedBefore, afterId });
        const page = await comparePage(rows);
        result.checked += page.checked;
        result.differences.push(...page.differences);
        afterId = rows.at(-1)?.id ?? null;
        if (afterId === null) break;
        if (since === null)
          await keepCursor(db, feed, { lastId: afterId, leaseEndsAt: later(clock.now(), leaseMs) });
      }
      result.differences.push(...(await compareBooks()));
      await store.saveReconciliation(db, result);
    } finally {
      if (since === null) await endLease(db, feed);
    }
    return result;
  };
}
