const minuteMs = 60_000;

/**
 * The default maximum detour of a ride: the larger of 10 minutes and 20 % of driving alone, at most 45
 * minutes.
 */
export const defaultMaxDetourMs = (aloneMs: number): number =>
  Math.min(45 * minuteMs, Math.max(10 * minuteMs, Math.round(aloneMs * 0.2)));

/**
 * When a passenger who leaves at the latest instant must be dropped off: half as long again as the direct
 * drive, and at least 20 minutes more than it.
 */
export const arriveByMs = (latestMs: number, directMs: number): number =>
  latestMs + Math.round(Math.max(directMs * 1.5, directMs + 20 * minuteMs));
