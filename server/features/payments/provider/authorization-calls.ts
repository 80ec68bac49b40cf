import type { Stripe } from 'stripe';
import type { Attempt, Outcome } from './outcomes.ts';
import { attemptPayment, type Payment } from './payment-calls.ts';

export interface AuthorizationInput {
  customerId: string;
  cardId: string;
  /** The most that may be captured. */
  amountCents: number;
  /** The driver's account, which receives what is captured, without the fee that is decided then. */
  accountId: string;
  /** True while the passenger is there to confirm, false where the clock places it. */
  isPresent: boolean;
  /** Where the passenger comes back to after confirming. */
  returnUrl: string;
  description: string;
  metadata: Readonly<Record<string, string>>;
}

/** The calls that place an authorization on a card, and capture or cancel it. */
export const authorizationCalls = (stripe: Stripe, attempt: Attempt) => ({
  /**
   * Authorizes an amount on a card, to be captured in whole or in part within about seven days, or canceled.
   */
  authorize: (input: AuthorizationInput, key: string): Promise<Outcome<Payment>> =>
    attemptPayment(attempt, () =>
      stripe.paymentIntents.create(
        {
          amount: input.amountCents,
          currency: 'usd',
          customer: input.customerId,
          payment_method: input.cardId,
          allowed_payment_method_types: ['card'],
          capture_method: 'manual',
          confirm: true,
          ...(input.isPresent ? { return_url: input.returnUrl } : { off_session: true }),
          transfer_data: { destination: input.accountId },
          description: input.description,
          metadata: { ...input.metadata },
          expand: ['latest_charge'],
        },
        { idempotencyKey: key },
      ),
    ),

  /** Tries an authorization again that was declined or waits for its holder, with the passenger present. */
  confirm: (
    input: { paymentId: string; cardId: string; returnUrl: string },
    key: string,
  ): Promise<Outcome<Payment>> =>
    attemptPayment(attempt, () =>
      stripe.paymentIntents.confirm(
        input.paymentId,
        { payment_method: input.cardId, return_url: input.returnUrl, expand: ['latest_charge'] },
        { idempotencyKey: key },
      ),
    ),

  /** Captures at most what is authorized; the rest is canceled. The platform keeps `feeCents` of it. */
  capture: (
    input: { paymentId: string; amountCents: number; feeCents: number },
    key: string,
  ): Promise<Outcome<Payment>> =>
    attemptPayment(attempt, () =>
      stripe.paymentIntents.capture(
        input.paymentId,
        {
          amount_to_capture: input.amountCents,
          // The API knows no fee of zero.
          ...(input.feeCents === 0 ? {} : { application_fee_amount: input.feeCents }),
          expand: ['latest_charge'],
        },
        { idempotencyKey: key },
      ),
    ),

  /** Cancels an authorization, or a payment that never came about. */
  cancel: (paymentId: string, key: string): Promise<Outcome<Payment>> =>
    attemptPayment(attempt, () => stripe.paymentIntents.cancel(paymentId, {}, { idempotencyKey: key })),
});
