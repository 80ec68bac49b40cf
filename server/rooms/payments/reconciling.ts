import type { Base } from '../../base/base.ts';
import { dayMs, later } from '../../base/clock.ts';
import type { CardProvider, Payment } from './card-provider.ts';
import type { Holds } from './holds.ts';
import * as store from './store.ts';
import type { HoldRow, StoredDifference } from './store.ts';

const changedWithinMs = 10 * dayMs;

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

/** Compares what is written of holds with what the provider says, writes what differs, and catches up with it. */
export function createReconciling({ db, clock }: Base, provider: CardProvider, holds: Holds) {
  return async function reconcile(since = later(clock.now(), -changedWithinMs)): Promise<Reconciliation> {
    const at = clock.now();
    const rows = await store.holdsToCompare(db, provider.kind, since);
    const ledgers = await store.ledgerOf(
      db,
      rows.map(({ id }) => id),
    );
    const differences: StoredDifference[] = [];
    let checked = 0;
    for (const hold of rows) {
      const read = await provider.payment(hold.paymentId!);
      if (!('value' in read) || read.value === null) continue;
      checked++;
      const found = differencesOf(hold, read.value, ledgers.get(hold.id) ?? {});
      if (found.length === 0) continue;
      // Somebody may be working on it right now: only what still differs after another look is a difference.
      const now = await store.holdById(db, hold.id);
      if (now === null || now.factsVersion !== hold.factsVersion) continue;
      differences.push(...found);
      await holds.look(now);
    }
    const result = { at, checked, differences };
    await store.saveReconciliation(db, result);
    return result;
  };
}
