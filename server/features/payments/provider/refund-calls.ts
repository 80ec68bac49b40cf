import type { Stripe } from 'stripe';
import { done, type Attempt, type Outcome } from './outcomes.ts';

/** The call that refunds a payment. */
export const refundCalls = (stripe: Stripe, attempt: Attempt) => ({
  /**
   * Refunds what was captured, or a part of it.
   * @param isShared the driver and the platform give their shares with it; false where
   *   `reverseRepeatedTransfers` has reversed them.
   */
  refund: (
    input: {
      paymentId: string;
      amountCents: number;
      isShared: boolean;
      metadata: Readonly<Record<string, string>>;
    },
    key: string,
  ): Promise<Outcome<string>> =>
    attempt(async () =>
      done(
        (
          await stripe.refunds.create(
            {
              payment_intent: input.paymentId,
              amount: input.amountCents,
              reverse_transfer: input.isShared,
              refund_application_fee: input.isShared,
              metadata: { ...input.metadata },
            },
            { idempotencyKey: key },
          )
        ).id,
      ),
    ),
});
