import { Stripe } from 'stripe';
import type { Env } from '../../../platform/env.ts';
import { Refusal } from '../../../platform/refusal.ts';

/**
 * The outcomes of a call to the card provider; nothing else can happen.
 *
 * - `done`: it is as asked.
 * - `needsAction`: the card's holder must confirm at `actionUrl` first.
 * - `declined`: the bank says no; `code` is the provider's word for why (`insufficient_funds`, `expired_card`
 *   …).
 * - `unavailable`: nothing is known of what happened. The same call with the same key may be made again, and
 *   does nothing twice. With `fault` the installation is to blame, not the line: its admins hear of it.
 * - `refused`: the provider will never do this as asked (`code` says why): an authorization is gone, an
 *   account cannot be paid.
 */
export type Outcome<T> =
  | { outcome: 'done'; value: T }
  | { outcome: 'needsAction'; value: T; actionUrl: string | null }
  | { outcome: 'declined'; code: string; message: string; value: T | null }
  | { outcome: 'unavailable'; message: string; fault?: ProviderFault }
  | { outcome: 'refused'; code: string; message: string };

/**
 * Faults that only the operator can repair: a key that is wrong or may not do this, or one idempotency key
 * for two different requests.
 */
export type ProviderFault = 'apiKey' | 'permission' | 'idempotency';

export const done = <T>(value: T): Outcome<T> => ({ outcome: 'done', value });

/** The outcome that an error of the SDK means; an error that is none of the provider's is thrown on. */
function outcomeOf<T>(error: unknown, valueIn: (error: Stripe.errors.StripeError) => T | null): Outcome<T> {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { message } = error;
  if (error instanceof Stripe.errors.StripeCardError)
    return {
      outcome: 'declined',
      code: (error.decline_code || error.code) ?? 'generic_decline',
      message,
      value: valueIn(error),
    };
  const fault = faultOf(error);
  // No one's booking fails for good over what the operator has to repair.
  if (fault !== null) return { outcome: 'unavailable', message, fault };
  const isPassing =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error.statusCode === 409 ||
    (error.statusCode ?? 500) >= 500;
  if (isPassing) return { outcome: 'unavailable', message };
  return { outcome: 'refused', code: error.code ?? error.type, message };
}

function faultOf(error: Stripe.errors.StripeError): ProviderFault | null {
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'apiKey';
  if (error instanceof Stripe.errors.StripePermissionError && error.code !== 'account_invalid')
    return 'permission';
  // 409: the first request with this key is still under way.
  if (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409) return 'idempotency';
  return null;
}

/** Runs a call of the SDK and says how it ended. */
export type Attempt = <T>(
  work: () => Promise<Outcome<T>>,
  valueIn?: (error: Stripe.errors.StripeError) => T | null,
) => Promise<Outcome<T>>;

/** @param onFault called for every call that fails for a fault that the operator has to repair. */
export function attemptWith(onFault: (fault: ProviderFault, message: string) => void): Attempt {
  return async (work, valueIn = () => null) => {
    try {
      return await work();
    } catch (error) {
      const ended = outcomeOf(error, valueIn);
      if (ended.outcome === 'unavailable' && ended.fault !== undefined) onFault(ended.fault, ended.message);
      return ended;
    }
  };
}

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  value == null ? null : typeof value === 'string' ? value : value.id;

export const instantOf = (seconds: number): Date => new Date(seconds * 1000);

export const unavailable = () =>
  new Refusal('payment.unavailable', 'The card provider isn’t answering right now. Please try again.');
export const registrationFailed = () =>
  new Refusal('payment.registrationFailed', 'Payment registration failed, please try again.');

/** Refuses what leads to a payment by card where none are accepted. */
export function requireCards({ takesCards }: Pick<Env, 'takesCards'>): void {
  if (!takesCards) throw new Refusal('payment.off', 'We don’t take card payments here.', { code: 409 });
}

/**
 * The value of a call that cannot be declined. Refuses `payment.unavailable` while the provider is away, else
 * as `other` says.
 */
export function valueOf<T>(outcome: Outcome<T>, other: () => Refusal): T {
  if (outcome.outcome === 'done') return outcome.value;
  throw outcome.outcome === 'unavailable' ? unavailable() : other();
}
