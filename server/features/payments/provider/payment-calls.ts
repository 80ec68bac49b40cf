import type { Stripe } from 'stripe';
import { paymentStates, type PaymentState } from '#contract/payments/views.ts';
import { type Attempt, type Outcome, done, instantOf } from './outcomes.ts';

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

export interface Payment {
  id: string;
  state: PaymentState;
  /** The requested amount. */
  amountCents: number;
  /** The authorized amount that is not yet captured. */
  authorizedCents: number;
  /** The captured amount, before refunds. */
  capturedCents: number;
  /** The refunded part of it. */
  refundedCents: number;
  /** The platform's part of it. */
  feeCents: number;
  /** When the authorization ends by itself; null where nothing is authorized. */
  captureBefore: Date | null;
  /** Where the holder confirms; null where no confirmation is needed. */
  actionUrl: string | null;
  /** The bank's last word, such as `insufficient_funds`; null after a success. */
  declineCode: string | null;
  metadata: Readonly<Record<string, string>>;
}

/** Runs a call that ends with a payment; a declined one still shows it. */
const attemptPayment = (
  attempt: Attempt,
  work: () => Promise<Stripe.PaymentIntent>,
): Promise<Outcome<Payment>> =>
  attempt(
    async () => {
      const intent = await work();
      const value = paymentOf(intent);
      return intent.status === 'requires_action'
        ? { outcome: 'needsAction', value, actionUrl: value.actionUrl }
        : done(value);
    },
    (error) => (error.payment_intent === undefined ? null : paymentOf(error.payment_intent)),
  );

/** The calls that read payments. */
export const paymentCalls = (stripe: Stripe, attempt: Attempt) => ({
  payment: (paymentId: string): Promise<Outcome<Payment>> =>
    attemptPayment(attempt, () => stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] })),

  /** The payments that one authorization of a customer has made, the newest first. */
  paymentsOf: ({
    customerId,
    since,
    authorizationId,
  }: {
    customerId: string;
    since: Date;
    authorizationId: string;
  }): Promise<Outcome<Payment[]>> =>
    attempt(async () => {
      const found: Payment[] = [];
      const list = stripe.paymentIntents.list({
        customer: customerId,
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: 100,
        expand: ['data.latest_charge'],
      });
      for await (const intent of list)
        if (intent.metadata['hold'] === authorizationId) found.push(paymentOf(intent));
      return done(found);
    }),
});

/** Everything the SDK may name a payment's state; its type leaves room for words that do not exist yet. */
const isKnownState = (status: string): status is PaymentState =>
  (paymentStates as readonly string[]).includes(status);

function paymentOf(intent: Stripe.PaymentIntent): Payment {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  const endsAt =
    intent.status === 'requires_capture' ? charge?.payment_method_details?.card?.capture_before : undefined;
  const trouble = intent.last_payment_error;
  if (!isKnownState(intent.status)) throw new Error(`The payment ${intent.id} is ${intent.status}.`);
  return {
    id: intent.id,
    state: intent.status,
    amountCents: intent.amount,
    authorizedCents: intent.amount_capturable,
    capturedCents: intent.amount_received,
    refundedCents: refundedOf(charge),
    feeCents: charge?.application_fee_amount ?? 0,
    captureBefore: endsAt === undefined ? null : instantOf(endsAt),
    actionUrl: intent.next_action?.redirect_to_url?.url ?? null,
    declineCode: trouble === null ? null : (trouble.decline_code ?? trouble.code ?? 'generic_decline'),
    metadata: intent.metadata,
  };
}

/**
 * The refunds of the money that was captured; the rest of an authorization that was captured in part counts
 * as refunded too there.
 */
const refundedOf = (charge: Stripe.Charge | null): number =>
  charge?.captured === true ? charge.amount_refunded - (charge.amount - charge.amount_captured) : 0;

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
