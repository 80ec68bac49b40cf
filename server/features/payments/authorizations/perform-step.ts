import { feeOf } from '#contract/payments/fees.ts';
import type { PaymentState } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { accountOf } from '../accounts/store.ts';
import { raiseAlarm } from '../alarms/raise-alarm.ts';
import { payerOf } from '../cards/store.ts';
import { knownCards } from '../cards/manage-cards.ts';
import { repeatedTransfersOf } from '../chargebacks/store.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { Payment } from '../provider/payment-calls.ts';
import { type Step, requestLandsWithinMs, nextStep, refundDue } from '../rules/next-step.ts';
import { replaceAuthorization, emitChanges, labelOf } from './plan-authorization.ts';
import { recordOutcome, readPayment, recordRefusal } from './record-payment.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Asks the provider for one step, and writes what came of it. Null: nothing is known, the step is repeated
 * later.
 */
export async function performStep(
  app: App,
  authorization: AuthorizationRow,
  step: Exclude<Step, null>,
): Promise<AuthorizationRow | null> {
  switch (step) {
    case 'read':
      return readPayment(app, authorization);
    case 'find':
      return findPayment(app, authorization);
    case 'replace':
      return replaceCanceled(app, authorization);
    case 'refund':
      return refundPayment(app, authorization);
    case 'cancel':
      if (authorization.paymentId === null) return cancelUnplaced(app, authorization);
      return recordOutcome(app, authorization, await cancelPayment(app, authorization));
    case 'capture':
      return recordOutcome(app, authorization, await capturePayment(app, authorization));
    case 'confirm':
      return recordOutcome(app, authorization, await confirmPayment(app, authorization));
    case 'place':
      return recordOutcome(app, authorization, await placeAuthorization(app, authorization));
  }
}

/**
 * Replaces an authorization that the provider has canceled. Null where it is not wanted any more, or replaced
 * already.
 */
async function replaceCanceled(app: App, { id }: AuthorizationRow): Promise<AuthorizationRow | null> {
  const { db, transact } = app;
  const fresh = await transact('replace canceled', async (tx) => {
    const row = await store.lockAuthorization(tx, id);
    if (row === null || !row.isCurrent || row.goal === 'cancel' || row.state !== 'canceled') return null;
    return replaceAuthorization(app, tx, row, {
      amountCents: row.goal === 'capture' ? Math.max(1, row.captureCents) : row.amountCents,
    });
  });
  return fresh === null ? null : store.authorizationById(db, id);
}

/** Captures what is owed, with the platform's fee; the provider cancels the rest of the authorization. */
function capturePayment(app: App, authorization: AuthorizationRow): Promise<Outcome<Payment>> {
  const amountCents = authorization.captureCents;
  const feeCents = feeOf(amountCents, app.payments.terms.fees);
  return app.payments.provider.capture(
    { paymentId: authorization.paymentId!, amountCents, feeCents },
    keyFor(authorization, `capture:${amountCents}`),
  );
}

/** Tries an authorization again with its passenger present; each of their tries has a key of its own. */
const confirmPayment = (app: App, authorization: AuthorizationRow): Promise<Outcome<Payment>> =>
  app.payments.provider.confirm(
    {
      paymentId: authorization.paymentId!,
      cardId: authorization.cardId!,
      returnUrl: returnUrlOf(app, authorization),
    },
    keyFor(authorization, `confirm:${authorization.tries}`),
  );

/** Cancels an authorization at the provider: nothing of it is captured any more. */
const cancelPayment = (app: App, authorization: AuthorizationRow): Promise<Outcome<Payment>> =>
  app.payments.provider.cancel(authorization.paymentId!, keyFor(authorization, 'cancel'));

/** Cancels an authorization that was never placed; one that is being placed meanwhile stays as it is. */
const cancelUnplaced = (app: App, { id }: AuthorizationRow): Promise<AuthorizationRow> =>
  app.transact('cancel unplaced', async (tx) => {
    const before = (await store.lockAuthorization(tx, id))!;
    if (before.isAsked) return before;
    const after = await store.updateFacts(tx, id, { state: 'canceled', trouble: null }, app.clock.now());
    await emitChanges(app, tx, before, after);
    return after;
  });

/** Where the passenger comes back to after confirming with the bank. */
const returnUrlOf = (app: App, { requestId }: AuthorizationRow): string =>
  `${app.env.publicUrl}/pages/order/detail?id=${requestId}&payment=back`;

/**
 * Notes that the provider is about to be asked, and for what: the same is asked again if its answer is lost.
 */
export async function noteRequest(app: App, authorization: AuthorizationRow): Promise<AuthorizationRow> {
  const { id, isAsked, passengerId, cardId } = authorization;
  if (isAsked) return authorization;
  const card = (await knownCards(app, app.db, passengerId)).find((each) => each.id === cardId);
  const { transact, clock } = app;
  return transact('start authorization', async (tx) => {
    const row = (await store.lockAuthorization(tx, id))!;
    if (row.isAsked || row.goal === 'cancel') return row;
    const set = {
      isAsked: true,
      askedAt: clock.now(),
      amountCents: row.goal === 'capture' ? Math.max(1, row.captureCents) : row.amountCents,
      ...(card === undefined ? {} : { cardLabel: labelOf(card) }),
    };
    return store.updateFacts(tx, id, set, clock.now());
  });
}

/** Asks the provider to authorize what a booking costs on its passenger's card. */
async function placeAuthorization(app: App, authorization: AuthorizationRow): Promise<Outcome<Payment>> {
  const { id, bookingId, orderNumber, passengerId, driverId, amountCents, isPresent } = authorization;
  const [customerId, account] = await Promise.all([
    payerOf(app.db, passengerId, app.payments.provider.kind),
    accountOf(app.db, driverId, app.payments.provider.kind),
  ]);
  if (customerId === null || account === null)
    return { outcome: 'refused', code: 'account_missing', message: 'The driver can’t be paid.' };
  return app.payments.provider.authorize(
    {
      customerId,
      cardId: authorization.cardId!,
      amountCents,
      accountId: account.accountId,
      isPresent,
      returnUrl: returnUrlOf(app, authorization),
      description: `Sameway ${orderNumber}`,
      metadata: { booking: bookingId, hold: id },
    },
    keyFor(authorization, 'authorize'),
  );
}

/** The idempotency key of one request to the provider: the same until the provider refuses. */
const keyFor = ({ id, keysUsed }: AuthorizationRow, request: string): string =>
  keysUsed === 0 ? `${id}:${request}` : `${id}:${request}:${keysUsed}`;

/**
 * Finds what a request has made whose answer was lost, by the authorization's id that it carried: one payment
 * is adopted, others are canceled. Where there is none, it is requested with another key; what is not wanted
 * any more is over, once nothing can be on its way. Null while the provider does not answer, or something may
 * still be on its way.
 */
async function findPayment(app: App, authorization: AuthorizationRow): Promise<AuthorizationRow | null> {
  const found = await paymentsMadeFor(app, authorization);
  if (found === null) return null;
  const [own, ...orphans] = found.toSorted((a, b) => worth(b) - worth(a));
  for (const orphan of orphans)
    if (orphan.state !== 'canceled' && orphan.state !== 'succeeded')
      await app.payments.provider.cancel(orphan.id, `${orphan.id}:orphan`);
  if (own !== undefined) return readPayment(app, { ...authorization, paymentId: own.id });
  const now = app.clock.now();
  const { askedAt, goal } = authorization;
  const isLost = askedAt === null || now.getTime() - askedAt.getTime() > requestLandsWithinMs;
  if (goal === 'cancel' && !isLost) return null;
  return recordNothingFound(app, authorization, now);
}

async function paymentsMadeFor(
  app: App,
  { id, passengerId, createdAt }: AuthorizationRow,
): Promise<Payment[] | null> {
  const customerId = await payerOf(app.db, passengerId, app.payments.provider.kind);
  if (customerId === null) return [];
  const since = later(createdAt, -hourMs);
  const ended = await app.payments.provider.paymentsOf({ customerId, since, authorizationId: id });
  return ended.outcome === 'done' ? ended.value : null;
}

/**
 * Writes that no request has made a payment: the next one has a new key, or what is not wanted any more is
 * canceled.
 */
function recordNothingFound(
  app: App,
  { id, factsVersion, version }: AuthorizationRow,
  now: Date,
): Promise<AuthorizationRow> {
  return app.transact('record nothing found', async (tx) => {
    const before = (await store.lockAuthorization(tx, id))!;
    if (before.factsVersion !== factsVersion || before.version !== version) return before;
    const set =
      before.goal === 'cancel'
        ? ({ state: 'canceled', trouble: null } as const)
        : { askedAt: now, keysUsed: before.keysUsed + 1 };
    const after = await store.updateFacts(tx, id, set, now);
    await emitChanges(app, tx, before, after);
    return after;
  });
}

const worthOf: Readonly<Partial<Record<PaymentState, number>>> = {
  succeeded: 4,
  requires_capture: 3,
  processing: 2,
  requires_action: 1,
  canceled: -1,
};
/** Ranks several payments of one authorization: one that has the money goes before one that might. */
const worth = ({ state }: Payment): number => worthOf[state] ?? 0;

/**
 * Refunds what is due. How much has been refunded already is read first, because a refund whose answer was
 * lost is made again once the provider has forgotten its key.
 */
async function refundPayment(app: App, seen: AuthorizationRow): Promise<AuthorizationRow | null> {
  const authorization = await readPayment(app, seen);
  if (authorization === null || nextStep(authorization, app.clock.now()) !== 'refund') return authorization;
  const ended = await requestRefund(app, authorization, refundDue(authorization));
  if (ended.outcome === 'done') return readPayment(app, authorization);
  if (ended.outcome === 'unavailable') return recordOutcome(app, authorization, ended);
  if (ended.outcome !== 'refused')
    return recordRefusal(app, authorization, 'code' in ended ? ended.code : 'unknown');
  const { id, orderNumber } = authorization;
  return app.transact('refund payment', async (tx) => {
    const detail = [orderNumber, ended.code].join(' · ');
    await raiseAlarm(app, tx, { kind: 'refundRefused', about: id, detail });
    await store.renewIdempotencyKey(tx, id);
    return store.updateFacts(tx, id, { trouble: ended.code }, app.clock.now());
  });
}

/** Requests a refund after which `dueCents` of the payment are refunded. */
async function requestRefund(
  app: App,
  authorization: AuthorizationRow,
  dueCents: number,
): Promise<Outcome<unknown>> {
  const { id, bookingId, capturedCents, feeCents } = authorization;
  const paymentId = authorization.paymentId!;
  const chargebackIds = await repeatedTransfersOf(app.db, id);
  if (chargebackIds.length > 0) {
    const shares = { paymentId, bookingId, capturedCents, feeCents, refundedCents: dueCents, chargebackIds };
    const reversed = await app.payments.provider.reverseRepeatedTransfers(
      shares,
      keyFor(authorization, 'refundShare'),
    );
    if (reversed.outcome !== 'done') return reversed;
  }
  const amountCents = dueCents - authorization.refundedCents;
  return app.payments.provider.refund(
    { paymentId, amountCents, isShared: chargebackIds.length === 0, metadata: { booking: bookingId } },
    keyFor(authorization, `refund:${authorization.refundedCents}:${dueCents}`),
  );
}
