import type { BreakOffKind } from '#contract/rides/moves.ts';
import { translate, type Language } from '../../../../platform/messages/translate.ts';

export interface StrikeFigures {
  /** A driver who cancels within this many hours of the departure gets a strike. */
  withinHours: number;
  /** How long a strike counts. */
  months: number;
  forReview: number;
  forSuspension: number;
}

const hourMs = 3_600_000;

/** Whether a cancellation at `at` is late enough to count. A no-show always is. */
export const isStrike = (at: Date, departsAt: Date, { withinHours }: StrikeFigures): boolean =>
  at.getTime() >= departsAt.getTime() - withinHours * hourMs;

/** Whether ending a ride on the way counts: only if the driver ended it, and without an acceptable reason. */
export const isWhim = (broken: { by: 'driver' | 'admin'; kind: BreakOffKind }): boolean =>
  broken.by === 'driver' && broken.kind === 'other';

/**
 * The first instant that still counts: `months` calendar months before; a day that a month lacks becomes its
 * last.
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
 * The consequence of a new strike, by the number of strikes.
 * @param strikes.said strikes by a person's statement or the driver's own act: only these suspend.
 */
export function verdictOf(
  { all, said }: { all: number; said: number },
  { forReview, forSuspension }: StrikeFigures,
): 'review' | 'suspend' | null {
  if (said >= forSuspension) return 'suspend';
  return all >= forReview && (all === forReview || said < all) ? 'review' : null;
}

/** The reason of a driver's suspension, for their email. */
export function suspensionReason(
  language: Language,
  strikes: number,
  { withinHours, months }: StrikeFigures,
): string {
  const t = translate(language);
  return t('suspended.strikes', {
    months: t('suspended.months', { count: months }),
    rides: t('suspended.rides', { count: strikes }),
    hours: t('suspended.hours', { count: withinHours }),
  });
}
