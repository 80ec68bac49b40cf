import { mostOfOne } from '#contract/units.ts';
import { money } from '#contract/formats/amounts.ts';
import type { App } from '../../../app-type.ts';
import { hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { alarmIsOver, raiseAlarm } from '../alarms/raise-alarm.ts';
import { readPayment } from '../authorizations/record-payment.ts';
import { authorizationById, type AuthorizationRow } from '../authorizations/store.ts';
import { compareBooks } from '../books/compare-books.ts';
import { ledgerOf } from '../books/store.ts';
import type { Payment } from '../provider/payment-calls.ts';
import { endFeedLease, keepCursor, leaseFeed } from '../provider/store.ts';
import { isToBeTold, openSumAfter, type OpenSum } from '../rules/open-sums.ts';
import type { BooksCompared } from '../state.ts';
import { addUpSums, lockOpenSums, recountSums, saveOpenSums } from '../sums/store.ts';
import * as store from './store.ts';
import type { StoredDifference } from './store.ts';

interface Reconciliation {
  at: Date;
  checked: number;
  differences: StoredDifference[];
}

/** How often authorizations are compared without an event. */
const compareAgainMs = 6 * hourMs;
const leaseMs = 10 * minuteMs;

/**
 * Compares what is written of authorizations with what the provider says, and the ledger with the provider's
 * balance; writes what differs, and catches up with it. One process at a time, in pages.
 * @param since compares everything that changed since then, whatever another process compares; by default
 *   only what is new.
 */
export async function reconcile(app: App, since: Date | null = null): Promise<Reconciliation> {
  const { db, clock } = app;
  const { kind } = app.payments.provider;
  const feed = { provider: kind, feed: 'comparison' } as const;
  const at = clock.now();
  const result: Reconciliation = { at, checked: 0, differences: [] };
  if (since === null && (await leaseFeed(db, feed, at, later(at, leaseMs))) === null) return result;
  try {
    const comparedBefore = later(at, -compareAgainMs);
    for (let afterId: string | null = null; ;) {
      const rows = await store.authorizationsToCompare(db, kind, { since, comparedBefore, afterId });
      const page = await comparePayments(app, rows);
      result.checked += page.checked;
      result.differences.push(...page.differences);
      afterId = rows.at(-1)?.id ?? null;
      if (afterId === null) break;
      if (since === null)
        await keepCursor(db, feed, { lastId: afterId, leaseEndsAt: later(clock.now(), leaseMs) });
    }
    result.differences.push(...(await balanceDifference(app)));
    // The last ones concern the ledger; a limited number of payments is enough to show the problem.
    await store.saveReconciliation(db, { ...result, differences: result.differences.slice(-mostOfOne) });
  } finally {
    if (since === null) await endFeedLease(db, feed);
  }
  return result;
}

/** Compares the books; where they differ, after the ledger was counted again. */
async function compareWithSums(app: App): Promise<BooksCompared | null> {
  const compared = await compareBooks(app);
  if (compared === null || compared.ledgerCents === compared.providerCents) return compared;
  if (await recountSums(app.db, app.payments.provider.kind)) return compared;
  app.log.error('the sums of the ledger were not those of its lines; they are now');
  return compareBooks(app);
}

/** The difference between the ledger and the provider's balance; an alarm while there is one. */
async function balanceDifference(app: App): Promise<StoredDifference[]> {
  const { transact } = app;
  await addUpSums(app.db, app.payments.provider.kind);
  const compared = await compareWithSums(app);
  if (compared === null) return [];
  await watchOpenSums(app, compared.openCents);
  const { ledgerCents: oursCents, providerCents: theirsCents } = compared;
  const alarm = { kind: 'books', about: '' } as const;
  if (oursCents === theirsCents) {
    await transact('end balance alarm', (tx) => alarmIsOver(app, tx, alarm));
    return [];
  }
  const detail = `${oursCents} / ${theirsCents}`;
  await transact('raise balance alarm', (tx) => raiseAlarm(app, tx, { ...alarm, detail }));
  return [{ bookingId: '', what: 'balance', oursCents, theirsCents }];
}

/**
 * Notes since when payments and the provider's bookings differ, by account, and raises an alarm for an amount
 * that stays for longer than booking takes: once for each amount, so that one that an admin has handled is
 * not raised again. The alarm ends by itself where the two agree again.
 */
async function watchOpenSums(app: App, openCents: BooksCompared['openCents']): Promise<void> {
  const now = app.clock.now();
  await app.transact('watch open sums', async (tx) => {
    const before = await lockOpenSums(tx, app.payments.provider.kind);
    const after: Record<string, OpenSum> = {};
    for (const [account, cents] of Object.entries(openCents)) {
      const alarm = { kind: 'openSum', about: account } as const;
      const open = openSumAfter(before[account], cents, now);
      if (open === null) await alarmIsOver(app, tx, alarm);
      else if (isToBeTold(open, now)) {
        const detail = `${account}: ${money(open.cents, 'en')}, ${open.since.slice(0, 10)}`;
        await raiseAlarm(app, tx, { ...alarm, detail });
        after[account] = { ...open, toldCents: open.cents };
      } else after[account] = open;
    }
    await saveOpenSums(tx, app.payments.provider.kind, after);
  });
}

interface Compared {
  authorization: AuthorizationRow;
  found: StoredDifference[];
}

const sideBySide = 8;

/**
 * Compares some authorizations with the provider's payments and with the ledger, and notes that they were
 * compared.
 */
async function comparePayments(
  app: App,
  rows: readonly AuthorizationRow[],
): Promise<{ checked: number; differences: StoredDifference[] }> {
  const { db, clock } = app;
  const ledgers = await ledgerOf(
    db,
    rows.map(({ id }) => id),
  );
  const compared: Compared[] = [];
  for (let at = 0; at < rows.length; at += sideBySide) {
    const some = rows.slice(at, at + sideBySide).map((row) => compare(app, row, ledgers.get(row.id) ?? {}));
    compared.push(...(await Promise.all(some)).filter((each) => each !== null));
  }
  const known = compared.map(({ authorization }) => authorization);
  await store.noteCompared(db, known, clock.now());
  return { checked: compared.length, differences: compared.flatMap(({ found }) => found) };
}

/** Null while the provider does not answer. */
async function compare(
  app: App,
  authorization: AuthorizationRow,
  ledger: Readonly<Record<string, number>>,
): Promise<Compared | null> {
  const read = await app.payments.provider.payment(authorization.paymentId!);
  if (!('value' in read) || read.value === null) return null;
  const found = differencesOf(authorization, read.value, ledger);
  if (found.length === 0) return { authorization, found };
  // A process may be working on it right now: only what still differs after another read is a difference.
  const row = await authorizationById(app.db, authorization.id);
  if (row === null || row.factsVersion !== authorization.factsVersion) return { authorization, found: [] };
  const known = await readPayment(app, row);
  return { authorization: known ?? row, found };
}

/** The differences of an authorization from the provider, or from the ledger. */
function differencesOf(
  authorization: AuthorizationRow,
  payment: Payment,
  ledger: Readonly<Record<string, number>>,
): StoredDifference[] {
  const compared: [what: string, oursCents: number, theirsCents: number][] = [
    ['held', authorization.authorizedCents, payment.authorizedCents],
    ['taken', authorization.capturedCents, payment.capturedCents],
    ['refunded', authorization.refundedCents, payment.refundedCents],
    ['ledger held', ledger['cards.held'] ?? 0, payment.authorizedCents],
    ['ledger taken', ledger['cards'] ?? 0, payment.capturedCents - payment.refundedCents],
  ];
  const { bookingId } = authorization;
  return compared.flatMap(([what, oursCents, theirsCents]) =>
    oursCents === theirsCents ? [] : [{ bookingId, what, oursCents, theirsCents }],
  );
}
