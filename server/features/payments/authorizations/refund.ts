import type { App } from '../../../app-type.ts';
import { raiseAlarm } from '../alarms/raise-alarm.ts';
import { repeatedTransfersOf } from '../chargebacks/store.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { nextStep, refundDue } from '../rules/next-step.ts';
import { keyFor } from './place-authorization.ts';
import { recordOutcome, recordRefusal } from './record-outcome.ts';
import { readPayment } from './record-payment.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Refunds what is due. How much has been refunded already is read first, because a refund whose answer was
 * lost is made again once the provider has forgotten its key.
 */
export async function refundPayment(app: App, seen: AuthorizationRow): Promise<AuthorizationRow | null> {
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
