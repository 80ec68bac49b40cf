import { feeOf } from '#contract/payments/fees.ts';
import type { Payment } from '../provider/payment-calls.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { keyFor } from './idempotency-key.ts';
import type { AuthorizationRow } from './store.ts';
import type { App } from '../../../app-type.ts';

/** Captures what is owed, with the platform's fee; the provider cancels the rest of the authorization. */
export function capturePayment(app: App, authorization: AuthorizationRow): Promise<Outcome<Payment>> {
  const amountCents = authorization.captureCents;
  const feeCents = feeOf(amountCents, app.payments.terms.fees);
  return app.payments.provider.capture(
    { paymentId: authorization.paymentId!, amountCents, feeCents },
    keyFor(authorization, `take:${amountCents}`),
  );
}
