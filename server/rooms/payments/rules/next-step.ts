import type { PaymentNeed, PaymentState } from '#contract/payments/views.ts';
import { dayMs, hourMs } from '../../../base/clock.ts';

/** What is known and wanted of a hold. */
export interface HoldFacts {
  goal: 'hold' | 'take' | 'release';
  state: PaymentState;
  paymentId: string | null;
  isAsked: boolean;
  cardId: string | null;
  takeCents: number;
  takeAt: Date | null;
  takenCents: number;
  refundGoalCents: number;
  refundedCents: number;
  declineCode: string | null;
}

export type Step =
  /** Ask for the hold, or learn what became of an ask whose answer was lost. */
  | 'ask'
  | 'confirm'
  | 'take'
  | 'letGo'
  | 'giveBack'
  /** The provider has let the hold go by itself: a new one is needed. */
  | 'askAnew'
  /** The bank or the passenger must act first: look again later. */
  | 'look'
  | null;

const open: readonly PaymentState[] = [
  'processing',
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
];

/** What is to be done about a hold now; null when it is as wanted, or waits for its passenger. */
export function nextStep(hold: HoldFacts, now: Date): Step {
  const { goal, state, paymentId } = hold;
  if (state === 'succeeded') return hold.refundedCents < refundDue(hold) ? 'giveBack' : null;
  if (goal === 'release') {
    if (state === 'canceled') return null;
    if (paymentId !== null) return open.includes(state) ? 'letGo' : null;
    // Nothing was asked: there is nothing to let go. Else the ask is repeated, to learn what it made.
    return hold.isAsked ? 'ask' : 'letGo';
  }
  if (state === 'canceled') return 'askAnew';
  if (state === 'processing' || state === 'requires_action') return 'look';
  if (state === 'requires_capture') {
    if (goal === 'hold' || (hold.takeAt !== null && hold.takeAt > now)) return null;
    return 'take';
  }
  if (hold.cardId === null) return null;
  if (paymentId === null) return 'ask';
  return state === 'requires_confirmation' ? 'confirm' : null;
}

/** What is to go back of what was taken: what was decided, and whatever is more than what is owed. */
export const refundDue = (
  hold: Pick<HoldFacts, 'goal' | 'takeCents' | 'takenCents' | 'refundGoalCents'>,
): number =>
  hold.goal === 'take'
    ? Math.min(hold.takenCents, hold.refundGoalCents + Math.max(0, hold.takenCents - hold.takeCents))
    : hold.takenCents;

/** When a hold is placed: `holdDays` before the ride, or at once where that is past. */
export const holdAt = (rideAt: Date, holdDays: number, now: Date): Date =>
  new Date(Math.max(now.getTime(), rideAt.getTime() - holdDays * dayMs));

/** Whether what a booking costs is sure: it is held, or will be on a card that is saved. */
export const isSecured = (
  hold: Pick<HoldFacts, 'goal' | 'state' | 'isAsked' | 'cardId'> & { nextAt: Date | null },
  now: Date,
): boolean =>
  hold.goal === 'hold' &&
  (hold.state === 'requires_capture' ||
    (hold.state === 'requires_confirmation' &&
      !hold.isAsked &&
      hold.cardId !== null &&
      hold.nextAt !== null &&
      hold.nextAt > now));

/** What the provider says where the driver cannot be paid; `account_missing` is our own word. */
export const accountTroubles: readonly string[] = [
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'account_invalid',
  'account_missing',
];

/** What somebody must do for a payment to go on: its passenger, or its driver about their own account. */
export function needOf(hold: HoldFacts): PaymentNeed | null {
  if (hold.goal === 'release') return null;
  if (hold.state === 'requires_action') return 'confirmation';
  if (hold.state !== 'requires_payment_method') return null;
  if (hold.declineCode !== null && accountTroubles.includes(hold.declineCode)) return 'driverAccount';
  if (hold.paymentId === null || hold.cardId === null)
    return hold.declineCode === null ? 'card' : 'anotherCard';
  return hold.declineCode === 'authentication_required' ? 'confirmation' : 'anotherCard';
}

const retryMs = [2, 5, 15, 60, 300, 600];

/** When a step that came to nothing is tried again. @param attempts how often it has been tried. */
export const retryAfterMs = (attempts: number): number =>
  (retryMs[Math.min(attempts, retryMs.length) - 1] ?? 2) * 1000;

/** How often a payment is read that waits for a bank or a person. */
export const lookAgainMs = 60_000;

/** So long before a hold ends by itself, what is owed is taken even while somebody objects; it can be given back. */
export const takeBeforeEndMs = 12 * hourMs;
