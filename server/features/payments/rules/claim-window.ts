import { hourMs, later } from '../../../platform/clock.ts';

/** Until when a passenger may open a claim; null where nothing is, or will be, captured. */
export const claimableUntil = (
  authorization: { goal: 'hold' | 'take' | 'release'; takeCents: number; settledAt: Date | null },
  hours: number,
): Date | null =>
  authorization.goal === 'take' && authorization.takeCents > 0 && authorization.settledAt !== null
    ? later(authorization.settledAt, hours * hourMs)
    : null;
