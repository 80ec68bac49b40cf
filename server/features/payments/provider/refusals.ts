import type { Env } from '../../../platform/env.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { Outcome } from './outcomes.ts';

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
