import type { App } from '../../../app-type.ts';
import { readPayment } from '../authorizations/record-payment.ts';
import { authorizationById, type AuthorizationRow } from '../authorizations/store.ts';
import { ledgerOf } from '../books/store.ts';
import type { Payment } from '../provider/payment-calls.ts';
import type { StoredDifference } from './store.ts';
import * as store from './store.ts';

interface Compared {
  authorization: AuthorizationRow;
  found: StoredDifference[];
}

const sideBySide = 8;

/**
 * Compares some authorizations with the provider's payments and with the ledger, and notes that they were
 * compared.
 */
export async function comparePayments(
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
export function differencesOf(
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
