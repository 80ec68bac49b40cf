import type { BreakOffKind } from '#contract/rides/moves.ts';

export interface StrikeFigures {
  /** A driver who cancels this close to the departure gets one. */
  withinHours: number;
  /** For so long each counts. */
  months: number;
  forReview: number;
  forSuspension: number;
}

const hourMs = 3_600_000;

/** Whether letting somebody down at `at` is late enough to count. Not coming at all always is. */
export const isStrike = (at: Date, departsAt: Date, { withinHours }: StrikeFigures): boolean =>
  at.getTime() >= departsAt.getTime() - withinHours * hourMs;

/**
 * Whether ending a ride on the way counts: by the driver's own will, and for no reason that anybody would
 * accept.
 */
export const isWhim = (broken: { by: 'driver' | 'admin'; kind: BreakOffKind }): boolean =>
  broken.by === 'driver' && broken.kind === 'other';

/**
 * The first instant that still counts: so many months before, by the calendar; a day that a month lacks is
 * its last.
 */
export function countedSince(now: Date, { months }: StrikeFigures): Date {
  const since = new Date(now);
  const day = since.getUTCDate();
  since.setUTCDate(1);
  since.setUTCMonth(since.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(since.getUTCFullYear(), since.getUTCMonth() + 1, 0)).getUTCDate();
  since.setUTCDate(Math.min(day, lastDay));
  return since;
}

/**
 * What follows from the strike that makes it so many.
 * @param strikes.said those that rest on a person's word or the driver's own act: only they suspend.
 */
export function verdictOf(
  { all, said }: { all: number; said: number },
  { forReview, forSuspension }: StrikeFigures,
): 'review' | 'suspend' | null {
  if (said >= forSuspension) return 'suspend';
  return all >= forReview && (all === forReview || said < all) ? 'review' : null;
}
