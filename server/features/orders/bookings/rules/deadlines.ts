const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An ask lives 3 hours, an invitation 24. */
const livesMs = { ask: 3 * hourMs, invite: 24 * hourMs };
const beforeDepartureMs = 30 * minuteMs;
/** A person who asks late has at least so long for an answer, if the ride waits so long. */
const leastMs = 10 * minuteMs;

/**
 * Until when an ask or invitation must be answered: its life, cut at 30 minutes before the latest departure;
 * one that is made later than that lives for ten minutes, at most until that departure.
 */
export function answerBy(move: 'ask' | 'invite', now: Date, latestDepartsAt: Date): Date {
  const latestMs = latestDepartsAt.getTime();
  const lateMs = Math.min(now.getTime() + leastMs, latestMs);
  return new Date(Math.min(now.getTime() + livesMs[move], Math.max(latestMs - beforeDepartureMs, lateMs)));
}

/**
 * Until when a passenger sees to the payment of a seat that is kept: so many minutes, at most until
 * departure.
 */
export const payBy = (now: Date, latestDepartsAt: Date, minutes: number): Date =>
  new Date(
    Math.max(
      now.getTime() + minuteMs,
      Math.min(now.getTime() + minutes * minuteMs, latestDepartsAt.getTime()),
    ),
  );

/**
 * The same for a hold that fails some days ahead: 12 hours, cut at 24 hours before departure, and never less
 * than one.
 */
export const payAnewBy = (now: Date, departsAt: Date): Date =>
  new Date(
    Math.max(
      now.getTime() + hourMs,
      Math.min(now.getTime() + 12 * hourMs, departsAt.getTime() - 24 * hourMs),
    ),
  );

/**
 * Within how many hours of the departure it is, by the nearest of the figures that people are told; null:
 * earlier than all of them.
 */
export function hoursAhead(now: Date, departsAt: Date, figures: readonly number[]): number | null {
  const leftMs = departsAt.getTime() - now.getTime();
  return figures.toSorted((a, b) => a - b).find((hours) => leftMs <= hours * hourMs) ?? null;
}
