import { hourMs, later } from '../../../platform/clock.ts';

/** Until when a passenger may object; null where nothing is, or will be, taken. */
export const disputableUntil = (
  hold: { goal: 'hold' | 'take' | 'release'; takeCents: number; settledAt: Date | null },
  hours: number,
): Date | null =>
  hold.goal === 'take' && hold.takeCents > 0 && hold.settledAt !== null
    ? later(hold.settledAt, hours * hourMs)
    : null;
