import { Stripe } from 'stripe';

/**
 * How a call to the card provider ends; nothing else can happen.
 *
 * - `done`: it is as asked.
 * - `needsAction`: the card's holder must confirm at `actionUrl` first.
 * - `declined`: the bank says no; `code` is the provider's word for why (`insufficient_funds`, `expired_card` …).
 * - `unavailable`: nothing is known of what happened. The same call with the same key may be made again, and does nothing
 *   twice.
 * - `refused`: the provider will never do this as asked (`code` says why): a hold is gone, an account cannot be paid.
 */
export type Outcome<T> =
  | { outcome: 'done'; value: T }
  | { outcome: 'needsAction'; value: T; actionUrl: string | null }
  | { outcome: 'declined'; code: string; message: string; value: T | null }
  | { outcome: 'unavailable'; message: string }
  | { outcome: 'refused'; code: string; message: string };

export const done = <T>(value: T): Outcome<T> => ({ outcome: 'done', value });

/** What an error of the SDK means; an error that is none of the provider's is thrown on. */
export function outcomeOf<T>(
  error: unknown,
  valueIn: (error: Stripe.errors.StripeError) => T | null,
): Outcome<T> {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { message } = error;
  if (error instanceof Stripe.errors.StripeCardError)
    return {
      outcome: 'declined',
      code: (error.decline_code || error.code) ?? 'generic_decline',
      message,
      value: valueIn(error),
    };
  const isPassing =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    // A wrong key is the operator's to repair; nobody's booking fails for good over it.
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error.statusCode === 409 ||
    (error.statusCode ?? 500) >= 500;
  if (isPassing) return { outcome: 'unavailable', message };
  return { outcome: 'refused', code: error.code ?? error.type, message };
}
