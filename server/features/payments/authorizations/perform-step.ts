import { feeOf } from '#contract/payments/fees.ts';
import type { App } from '../../../app-type.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { Payment } from '../provider/payment-calls.ts';
import type { Step } from '../rules/next-step.ts';
import { findPayment } from './find-payment.ts';
import { placeAuthorization, keyFor, returnUrlOf } from './place-authorization.ts';
import { recordOutcome } from './record-outcome.ts';
import { readPayment } from './record-payment.ts';
import { refundPayment } from './refund.ts';
import { replaceAuthorization } from './replace-authorization.ts';
import { emitChanges } from './signals.ts';
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
