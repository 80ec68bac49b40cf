import type { PaymentNeed, PaymentState } from '#contract/payments/views.ts';
import { dayMs, hourMs, minuteMs, later, secondMs } from '../../../platform/clock.ts';

export interface AuthorizationFacts {
  goal: 'authorize' | 'capture' | 'cancel';
  state: PaymentState;
  paymentId: string | null;
  isAsked: boolean;
  /** When the provider was first asked, with the key that is used now. */
  askedAt: Date | null;
  /** When the provider cancels it by itself. */
  captureBefore: Date | null;
  cardId: string | null;
  captureCents: number;
  captureAt: Date | null;
  capturedCents: number;
  refundGoalCents: number;
  refundedCents: number;
  declineCode: string | null;
  /** Its bank has taken the money back, or asks for it. */
  isChargedBack: boolean;
}

export type Step =
  /** Place the authorization, or learn what became of a request whose answer was lost a short while ago. */
  | 'place'
  /** Search the passenger's payments for the outcome of a request that must not be repeated. */
  | 'find'
  | 'confirm'
  | 'capture'
  | 'cancel'
  | 'refund'
  /** The provider has canceled the authorization by itself: a new one is needed. */
  | 'replace'
  /** The bank or the passenger must act first: read it again later. */
  | 'read'
  | null;

const open: readonly PaymentState[] = [
  'processing',
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
];

/** The provider remembers a key for a day; after this the same request may authorize a second time. */
export const keyLivesMs = 20 * hourMs;
/** After this a request without an answer cannot be on its way any more. */
export const requestLandsWithinMs = 5 * minuteMs;

/**
 * The next step of an authorization; null when it is as wanted, or waits for its passenger.
 * @param wasRead it was read just now: the state of one that has run out of time is then the provider's own
 *   word.
 */
export function nextStep(authorization: AuthorizationFacts, now: Date, wasRead = false): Step {
  const { goal, state, paymentId } = authorization;
  // Money that the bank has given back is not refunded on top; a refund that was due waits for the bank's
  // decision.
  if (state === 'succeeded')
    return !authorization.isChargedBack && authorization.refundedCents < refundDue(authorization)
      ? 'refund'
      : null;
  if (goal === 'cancel') {
    if (state === 'canceled') return null;
    if (isOver(authorization, now) && !wasRead) return 'read';
    if (paymentId !== null) return open.includes(state) ? 'cancel' : null;
    // Nothing was requested: there is nothing to cancel. Else find what the request made; repeating it could
    // make it now.
    return authorization.isAsked ? 'find' : 'cancel';
  }
  if (state === 'canceled') return 'replace';
  if (state === 'processing' || state === 'requires_action') return 'read';
  if (state === 'requires_capture') {
    // The provider has canceled it by now, or is about to: a capture would be refused.
    if (isOver(authorization, now) && !wasRead) return 'read';
    if (goal === 'authorize' || (authorization.captureAt !== null && authorization.captureAt > now))
      return null;
    return 'capture';
  }
  if (authorization.cardId === null) return null;
  if (paymentId === null) return mayPlace(authorization, now) ? 'place' : 'find';
  return state === 'requires_confirmation' ? 'confirm' : null;
}

const isOver = ({ state, captureBefore }: AuthorizationFacts, now: Date): boolean =>
  state === 'requires_capture' && captureBefore !== null && captureBefore <= now;

const mayPlace = ({ isAsked, askedAt }: AuthorizationFacts, now: Date): boolean =>
  !isAsked || (askedAt !== null && now.getTime() - askedAt.getTime() < keyLivesMs);

/** Refund due: the decided amount plus any over-capture. */
export const refundDue = (
  authorization: Pick<AuthorizationFacts, 'goal' | 'captureCents' | 'capturedCents' | 'refundGoalCents'>,
): number =>
  authorization.goal === 'capture'
    ? Math.min(
        authorization.capturedCents,
        authorization.refundGoalCents + Math.max(0, authorization.capturedCents - authorization.captureCents),
      )
    : authorization.capturedCents;

/** When an authorization is placed: `holdDays` before the ride, or at once where that is past. */
export const authorizationDueAt = (rideAt: Date, holdDays: number, now: Date): Date =>
  new Date(Math.max(now.getTime(), rideAt.getTime() - holdDays * dayMs));

/** Whether what a booking costs is sure: it is authorized, or will be on a card that is saved. */
export const isSecured = (
  authorization: Pick<AuthorizationFacts, 'goal' | 'state' | 'isAsked' | 'cardId'> & { nextAt: Date | null },
  now: Date,
): boolean =>
  authorization.goal === 'authorize' &&
  (authorization.state === 'requires_capture' ||
    (authorization.state === 'requires_confirmation' &&
      !authorization.isAsked &&
      authorization.cardId !== null &&
      authorization.nextAt !== null &&
      authorization.nextAt > now));

/** The provider's codes where the driver cannot be paid; `account_missing` is our own word. */
export const accountTroubles: readonly string[] = [
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'account_invalid',
  'account_missing',
];

/** The passenger's task for a payment to go on, or the driver's about their own account. */
export function needOf(authorization: AuthorizationFacts): PaymentNeed | null {
  if (authorization.goal === 'cancel') return null;
  if (authorization.state === 'requires_action') return 'confirmation';
  if (authorization.state !== 'requires_payment_method') return null;
  if (authorization.declineCode !== null && accountTroubles.includes(authorization.declineCode))
    return 'driverAccount';
  if (authorization.paymentId === null || authorization.cardId === null)
    return authorization.declineCode === null ? 'card' : 'anotherCard';
  return authorization.declineCode === 'authentication_required' ? 'confirmation' : 'anotherCard';
}

/**
 * A debt: it is owed, could not be captured, and waits for its passenger. That a driver cannot be paid is no
 * debt of the passenger's.
 */
export const isDebt = (authorization: AuthorizationFacts & { nextAt: Date | null }): boolean => {
  const { goal, state, capturedCents, nextAt } = authorization;
  if (goal !== 'capture' || capturedCents > 0 || needOf(authorization) === 'driverAccount') return false;
  return state === 'requires_payment_method' || (state === 'requires_action' && nextAt === null);
};

const retryMs = [2, 5, 15, 60, 300, 600];

/** When a step that came to nothing is tried again. @param attempts how often it has been tried. */
export const retryAfterMs = (attempts: number): number =>
  (retryMs[Math.min(attempts, retryMs.length) - 1] ?? 2) * 1000;

const readMinutes = [1, 2, 5, 15, 30, 60];
/** The pauses above, then one an hour: with this many reads a day has passed. */
const readsOfADay = 29;

/**
 * When a payment is read again that waits for a bank or a person. @param reads how often it has been read.
 */
export const readAgainMs = (reads: number): number =>
  (readMinutes[Math.min(reads, readMinutes.length) - 1] ?? 1) * minuteMs;

/**
 * A debt whose bank has asked its passenger is read for a day; then it waits for them, or for the provider's
 * word.
 */
export const isGivenUp = (
  authorization: Pick<AuthorizationFacts, 'goal' | 'state'>,
  reads: number,
): boolean =>
  authorization.goal === 'capture' && authorization.state === 'requires_action' && reads >= readsOfADay;

const refusedHours = [1, 3, 6, 12, 24, 24, 24];

/**
 * When a step is tried again that the provider has refused; null: it stays refused, until an admin says
 * otherwise.
 */
export const refusedRetryMs = (attempts: number): number | null => {
  const hours = refusedHours[attempts - 1];
  return hours === undefined ? null : hours * hourMs;
};

/**
 * How long before an authorization ends by itself its amount is captured even while a claim is open; it can
 * be refunded.
 */
export const captureBeforeEndMs = 12 * hourMs;

/** When it is read after the provider cancels an authorization by itself. */
const afterEndMs = 10 * secondMs;

/** Whether an authorization waits for something that is only learned by reading it. */
export const isReadAgain = (
  { state, captureBefore }: Pick<AuthorizationFacts, 'state' | 'captureBefore'>,
  now: Date,
): boolean =>
  state === 'processing' ||
  state === 'requires_action' ||
  (state === 'requires_capture' && captureBefore !== null && captureBefore <= now);

/**
 * When an authorization that rests is due again; null: not before its goal changes, or the provider sends an
 * event.
 * @param reads how often it has been read in this state.
 */
export function wakeAt(
  authorization: Pick<AuthorizationFacts, 'goal' | 'state' | 'captureAt' | 'captureBefore'>,
  now: Date,
  reads: number,
): Date | null {
  const { goal, state, captureAt, captureBefore } = authorization;
  if (isGivenUp(authorization, reads)) return null;
  if (isReadAgain(authorization, now)) return later(now, readAgainMs(reads));
  if (state === 'succeeded' || state === 'canceled') return null;
  if (goal === 'capture' && captureAt !== null && captureAt > now) return captureAt;
  if (goal === 'authorize' && state === 'requires_capture' && captureBefore !== null)
    return later(captureBefore, afterEndMs);
  return null;
}
