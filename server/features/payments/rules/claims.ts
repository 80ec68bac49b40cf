import type { Dispute } from '#contract/payments/views.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import type { AuthorizationFacts } from './next-step.ts';

/** Until when a passenger may open a claim; null where nothing is, or will be, captured. */
export const claimableUntil = (
  authorization: { goal: 'authorize' | 'capture' | 'cancel'; captureCents: number; settledAt: Date | null },
  hours: number,
): Date | null =>
  authorization.goal === 'capture' && authorization.captureCents > 0 && authorization.settledAt !== null
    ? later(authorization.settledAt, hours * hourMs)
    : null;

/**
 * Whether a claim is about what is, or will be, captured now: a decided one ends with the settlement that it
 * objected to.
 */
export const isAbout = (
  claim: { state: Dispute['state']; openedAt: Date },
  { settledAt }: { settledAt: Date | null },
): boolean => claim.state !== 'resolved' || (settledAt !== null && claim.openedAt >= settledAt);

/** A refund of everything to a passenger: the amount, and the authorization's goal. */
export function refundAll({
  capturedCents,
  captureCents,
}: Pick<AuthorizationFacts, 'capturedCents' | 'captureCents'>): {
  refundCents: number;
  goal: { refundGoalCents: number } | { goal: 'cancel' };
} {
  if (capturedCents > 0) return { refundCents: capturedCents, goal: { refundGoalCents: capturedCents } };
  return { refundCents: captureCents, goal: { goal: 'cancel' } };
}
