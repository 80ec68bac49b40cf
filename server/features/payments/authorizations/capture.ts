import { feeOf } from '#contract/payments/fees.ts';
import type { Payment } from '../provider/payment-calls.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { AuthorizationContext } from './context.ts';
import { keyFor } from './idempotency-key.ts';
import type { AuthorizationRow } from './store.ts';

/** Captures what is owed, with the platform's fee; the provider cancels the rest of the authorization. */
export function capturePayment(
  { provider, terms }: AuthorizationContext,
  authorization: AuthorizationRow,
): Promise<Outcome<Payment>> {
  const amountCents = authorization.captureCents;
  const feeCents = feeOf(amountCents, terms.fees);
  return provider.capture(
    { paymentId: authorization.paymentId!, amountCents, feeCents },
    keyFor(authorization, `take:${amountCents}`),
  );
}
