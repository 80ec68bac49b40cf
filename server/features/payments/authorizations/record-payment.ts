import { randomUUID } from 'node:crypto';
import type { PaymentState } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { readAccountOfDriver } from '../accounts/driver-account.ts';
import { alarmIsOver } from '../alarms/raise-alarm.ts';
import { writeLedger } from '../books/store.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { Payment } from '../provider/payment-calls.ts';
import { ledgerLines } from '../rules/ledger.ts';
import { nextStep, accountTroubles, keyLivesMs } from '../rules/next-step.ts';
import { emitChanges } from './plan-authorization.ts';
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
async function recordPayment(
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

/** Writes how a request to the provider ended. Null: nothing is known, the step is repeated later. */
export async function recordOutcome(
  app: App,
  authorization: AuthorizationRow,
  ended: Outcome<Payment>,
): Promise<AuthorizationRow | null> {
  if (ended.outcome === 'unavailable') {
    app.log.warn(
      { authorizationId: authorization.id, trouble: ended.message },
      'the card provider does not answer',
    );
    if (ended.fault === 'idempotency' && authorization.paymentId === null)
      await forgetKey(app, authorization);
    return null;
  }
  const payment = 'value' in ended ? ended.value : null;
  if (payment !== null) {
    const known = await recordPayment(app, authorization, payment, authorization.tries);
    if (known !== null) return known;
    return readPayment(app, (await store.authorizationById(app.db, authorization.id)) ?? authorization);
  }
  return recordRefusal(app, authorization, 'code' in ended ? ended.code : 'unknown');
}

/** The key stands for another request: what that one made is to be found, and another key used. */
async function forgetKey(app: App, { id }: AuthorizationRow): Promise<void> {
  const { transact, clock } = app;
  await transact('forget key', (tx) =>
    store.updateFacts(tx, id, { askedAt: later(clock.now(), -keyLivesMs) }, clock.now()),
  );
}

/**
 * Writes that the provider will not do this as things stand there; the payment there decides what is next.
 */
export async function recordRefusal(
  app: App,
  authorization: AuthorizationRow,
  code: string,
): Promise<AuthorizationRow | null> {
  const { id, paymentId, driverId, factsVersion, state, tries } = authorization;
  if (accountTroubles.includes(code)) await readAccountOfDriver(app, driverId);
  if (paymentId === null) return recordUnplaced(app, authorization, code);
  app.log.error({ authorizationId: id, code }, 'the card provider refuses');
  await store.renewIdempotencyKey(app.db, id);
  const after = await readPayment(app, authorization, tries);
  return after?.factsVersion === factsVersion + 1 && after.state === state ? null : after;
}

/** Writes that the bank or the provider has refused before there is a payment to read. */
function recordUnplaced(app: App, { id }: AuthorizationRow, code: string): Promise<AuthorizationRow> {
  return app.transact('record unplaced', async (tx) => {
    const before = (await store.lockAuthorization(tx, id))!;
    const set = { state: 'requires_payment_method', declineCode: code, trouble: code } as const;
    await store.renewIdempotencyKey(tx, id);
    const after = await store.updateFacts(tx, id, set, app.clock.now());
    await emitChanges(app, tx, before, after);
    return after;
  });
}
