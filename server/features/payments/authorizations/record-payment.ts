import { randomUUID } from 'node:crypto';
import type { PaymentState } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import { alarmIsOver } from '../alarms/raise-alarm.ts';
import { writeLedger } from '../books/store.ts';
import type { Payment } from '../provider/payment-calls.ts';
import { ledgerLines } from '../rules/ledger.ts';
import { nextStep } from '../rules/next-step.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

const mostReads = 5;

/**
 * Its passenger has confirmed, or chosen another card, and the provider is being asked, or is about to be.
 */
const awaitsConfirm = ({ goal, state, paymentId, cardId }: AuthorizationRow) =>
  goal !== 'cancel' && state === 'requires_confirmation' && paymentId !== null && cardId !== null;

/** The state to store: an earlier decline is stale while a confirmation is in flight. */
const stateMeanwhile = ({ state }: Payment): PaymentState =>
  state === 'requires_payment_method' ? 'requires_confirmation' : state;

/**
 * Writes what the provider says of a payment, with its lines in the ledger; null when something newer has
 * been written since `seen` was read.
 * @param seen the authorization as it was before the provider was asked.
 * @param answeredTry of `tries`, the one that the payment answers; null where it was only read.
 */
export async function recordPayment(
  app: App,
  { id, factsVersion }: Pick<AuthorizationRow, 'id' | 'factsVersion'>,
  payment: Payment,
  answeredTry: number | null,
): Promise<AuthorizationRow | null> {
  return app.transact('record payment', async (tx) => {
    const before = await store.lockAuthorization(tx, id);
    if (before === null || before.factsVersion !== factsVersion) return null;
    const now = app.clock.now();
    const { authorizedCents, capturedCents, refundedCents, feeCents } = payment;
    const facts = {
      authorizedCents,
      capturedCents,
      refundedCents,
      feeCents: capturedCents === 0 ? 0 : feeCents,
    };
    const lines = ledgerLines(before, facts, { authorizationId: id, at: now, newId: randomUUID });
    await writeLedger(tx, before.provider, lines);
    const isWaiting = awaitsConfirm(before) && answeredTry !== before.tries;
    const state = isWaiting ? stateMeanwhile(payment) : payment.state;
    const set = {
      ...facts,
      paymentId: payment.id,
      state,
      capturedAt: capturedCents > 0 ? (before.capturedAt ?? now) : null,
      captureBefore: payment.captureBefore,
      actionUrl: payment.actionUrl,
      declineCode: state === 'requires_payment_method' ? payment.declineCode : null,
      trouble: null,
    };
    const after = await store.updateFacts(tx, id, set, now);
    await emitChanges(app, tx, before, after);
    const step = nextStep(after, now);
    // An authorization that only needs reading was read just now.
    if (step !== null && step !== 'read') await store.makeDue(tx, id, now);
    if (refundedCents > before.refundedCents)
      await alarmIsOver(app, tx, { kind: 'refundRefused', about: id });
    return after;
  });
}

/**
 * Reads a payment from the provider and writes it. Null while the provider does not answer.
 * @param answeredTry see `recordPayment`.
 */
export async function readPayment(
  app: App,
  authorization: AuthorizationRow,
  answeredTry: number | null = null,
): Promise<AuthorizationRow | null> {
  for (let row = authorization, reads = 0; row.paymentId !== null && reads < mostReads; reads++) {
    const read = await app.payments.provider.payment(row.paymentId);
    if (!('value' in read) || read.value === null) return null;
    const known = await recordPayment(app, row, read.value, answeredTry);
    if (known !== null) return known;
    row = (await store.authorizationById(app.db, row.id)) ?? row;
  }
  return null;
}
