import { repeatedTransfersOf } from '../chargebacks/store.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { nextStep, refundDue } from '../rules/next-step.ts';
import type { AuthorizationContext } from './context.ts';
import { keyFor } from './idempotency-key.ts';
import { recordOutcome, recordRefusal } from './record-outcome.ts';
import { readPayment } from './record-payment.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Refunds what is due. How much has been refunded already is read first, because a refund whose answer was
 * lost is made again once the provider has forgotten its key.
 */
export async function refundPayment(
  context: AuthorizationContext,
  seen: AuthorizationRow,
): Promise<AuthorizationRow | null> {
  const { platform, alarms } = context;
  const authorization = await readPayment(context, seen);
  if (authorization === null || nextStep(authorization, platform.clock.now()) !== 'refund')
    return authorization;
  const ended = await requestRefund(context, authorization, refundDue(authorization));
  if (ended.outcome === 'done') return readPayment(context, authorization);
  if (ended.outcome === 'unavailable') return recordOutcome(context, authorization, ended);
  if (ended.outcome !== 'refused')
    return recordRefusal(context, authorization, 'code' in ended ? ended.code : 'unknown');
  const { id, orderNumber } = authorization;
  return platform.transact(async (tx) => {
    const detail = [orderNumber, ended.code].join(' · ');
    await alarms.raise(tx, { kind: 'refundRefused', about: id, detail });
    await store.renewIdempotencyKey(tx, id);
    return store.updateFacts(tx, id, { trouble: ended.code }, platform.clock.now());
  });
}

/** Requests a refund after which `dueCents` of the payment are refunded. */
async function requestRefund(
  { platform, provider }: AuthorizationContext,
  authorization: AuthorizationRow,
  dueCents: number,
): Promise<Outcome<unknown>> {
  const { id, bookingId, capturedCents, feeCents } = authorization;
  const paymentId = authorization.paymentId!;
  const chargebackIds = await repeatedTransfersOf(platform.db, id);
  if (chargebackIds.length > 0) {
    const shares = { paymentId, bookingId, capturedCents, feeCents, refundedCents: dueCents, chargebackIds };
    const reversed = await provider.reverseRepeatedTransfers(shares, keyFor(authorization, 'refundShare'));
    if (reversed.outcome !== 'done') return reversed;
  }
  const amountCents = dueCents - authorization.refundedCents;
  return provider.refund(
    { paymentId, amountCents, isShared: chargebackIds.length === 0, metadata: { booking: bookingId } },
    keyFor(authorization, `refund:${authorization.refundedCents}:${dueCents}`),
  );
}
