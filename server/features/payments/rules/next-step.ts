import type { PaymentNeed, PaymentState } from '#contract/payments/views.ts';
import { dayMs, hourMs, minuteMs } from '../../../platform/clock.ts';

/** What is known and wanted of a hold. */
export interface HoldFacts {
  goal: 'hold' | 'take' | 'release';
  state: PaymentState;
  paymentId: string | null;
  isAsked: boolean;
  /** When the provider was first asked, with the key that is used now. */
  askedAt: Date | null;
  /** When a hold that stands ends by itself. */
  holdEndsAt: Date | null;
  cardId: string | null;
  takeCents: number;
  takeAt: Date | null;
  takenCents: number;
  refundGoalCents: number;
  refundedCents: number;
  declineCode: string | null;
  /** Its bank has taken the money back, or asks for it. */
  isChargedBack: boolean;
}

export type Step =
  /** Ask for the hold, or learn what became of an ask whose answer was lost a short while ago. */
  | 'ask'
  /** Look among the passenger's payments for what became of an ask that must not be repeated. */
  | 'find'
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

/** The provider remembers a key for a day; after this the same ask may hold a second time. */
export const keyLivesMs = 20 * hourMs;
/** After this an ask that was not heard of any more is not on its way any more. */
export const askLandsWithinMs = 5 * minuteMs;

/**
 * What is to be done about a hold now; null when it is as wanted, or waits for its passenger.
 * @param wasRead it was read just now: what it says of a hold whose time is over is the provider's own word.
 */
export function nextStep(hold: HoldFacts, now: Date, wasRead = false): Step {
  const { goal, state, paymentId } = hold;
  // What the bank has given back is not given back twice; a refund that was due waits for the bank's decision.
  if (state === 'succeeded')
    return !hold.isChargedBack && hold.refundedCents < refundDue(hold) ? 'giveBack' : null;
  if (goal === 'release') {
    if (state === 'canceled') return null;
    if (isOver(hold, now) && !wasRead) return 'look';
    if (paymentId !== null) return open.includes(state) ? 'letGo' : null;
    // Nothing was asked: there is nothing to let go. Else what the ask made is looked for; asking again could make it now.
    return hold.isAsked ? 'find' : 'letGo';
  }
  if (state === 'canceled') return 'askAnew';
  if (state === 'processing' || state === 'requires_action') return 'look';
  if (state === 'requires_capture') {
    // The provider has let it go by now, or is about to: taking it would be refused.
    if (isOver(hold, now) && !wasRead) return 'look';
    if (goal === 'hold' || (hold.takeAt !== null && hold.takeAt > now)) return null;
    return 'take';
  }
  if (hold.cardId === null) return null;
  if (paymentId === null) return mayAsk(hold, now) ? 'ask' : 'find';
  return state === 'requires_confirmation' ? 'confirm' : null;
}

const isOver = ({ state, holdEndsAt }: HoldFacts, now: Date): boolean =>
  state === 'requires_capture' && holdEndsAt !== null && holdEndsAt <= now;

const mayAsk = ({ isAsked, askedAt }: HoldFacts, now: Date): boolean =>
  !isAsked || (askedAt !== null && now.getTime() - askedAt.getTime() < keyLivesMs);

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

const lookMinutes = [1, 2, 5, 15, 30, 60];
/** The pauses above, then one an hour: with so many looks a day has passed. */
const looksOfADay = 29;

/**
 * When a payment is read again that waits for a bank or a person. @param looks how often it has been read.
 */
export const lookAgainMs = (looks: number): number =>
  (lookMinutes[Math.min(looks, lookMinutes.length) - 1] ?? 1) * minuteMs;

/** A debt whose bank has asked its passenger is read for a day; then it waits for them, or for the provider's word. */
export const isGivenUp = (hold: Pick<HoldFacts, 'goal' | 'state'>, looks: number): boolean =>
  hold.goal === 'take' && hold.state === 'requires_action' && looks >= looksOfADay;

const refusedHours = [1, 3, 6, 12, 24, 24, 24];

/** When a step is tried again that the provider has refused; null: it stays refused, until an admin says otherwise. */
export const refusedRetryMs = (attempts: number): number | null => {
  const hours = refusedHours[attempts - 1];
  return hours === undefined ? null : hours * hourMs;
};

/** So long before a hold ends by itself, what is owed is taken even while somebody objects; it can be given back. */
export const takeBeforeEndMs = 12 * hourMs;
