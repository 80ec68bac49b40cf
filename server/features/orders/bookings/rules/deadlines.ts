const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Lifetimes of an ask, 3 hours, and an invitation, 24. */
const livesMs = { ask: 3 * hourMs, invite: 24 * hourMs };
const beforeDepartureMs = 30 * minuteMs;
/** The least lifetime of a late ask, if the departure is that far away. */
const leastMs = 10 * minuteMs;
/** An ask or invitation whose message has not left is checked again after this. */
const lookAgainMs = 30 * minuteMs;

/**
 * The deadline for answering an ask or invitation: its lifetime, cut at 30 minutes before the latest
 * departure; one made later than that has ten minutes, at most until that departure.
 */
export const answerBy = (move: 'ask' | 'invite', now: Date, latestDepartsAt: Date): Date =>
  beforeDeparture(livesMs[move], now, latestDepartsAt);

/**
 * The next deadline of an ask or invitation that is over and could not have been seen, because its message
 * has not left; null from the latest departure on.
 */
export const waitUntil = (now: Date, latestDepartsAt: Date): Date | null =>
  latestDepartsAt <= now ? null : beforeDeparture(lookAgainMs, now, latestDepartsAt);

function beforeDeparture(lifeMs: number, now: Date, latestDepartsAt: Date): Date {
  const latestMs = latestDepartsAt.getTime();
  const lateMs = Math.min(now.getTime() + leastMs, latestMs);
  return new Date(Math.min(now.getTime() + lifeMs, Math.max(latestMs - beforeDepartureMs, lateMs)));
}

/** The deadline for paying for a reserved seat: `minutes` from now, at most until departure. */
export const payBy = (now: Date, latestDepartsAt: Date, minutes: number): Date =>
  new Date(
    Math.max(
      now.getTime() + minuteMs,
      Math.min(now.getTime() + minutes * minuteMs, latestDepartsAt.getTime()),
    ),
  );

/**
 * The same after an authorization that fails days ahead: 12 hours, cut at 24 hours before departure, at least
 * one.
 */
export const payAnewBy = (now: Date, departsAt: Date): Date =>
  new Date(
    Math.max(
      now.getTime() + hourMs,
      Math.min(now.getTime() + 12 * hourMs, departsAt.getTime() - 24 * hourMs),
    ),
  );

/**
 * The smallest of the published figures, in hours before departure, that the departure falls within; null:
 * earlier than all of them.
 */
export function hoursAhead(now: Date, departsAt: Date, figures: readonly number[]): number | null {
  const leftMs = departsAt.getTime() - now.getTime();
  return figures.toSorted((a, b) => a - b).find((hours) => leftMs <= hours * hourMs) ?? null;
}
