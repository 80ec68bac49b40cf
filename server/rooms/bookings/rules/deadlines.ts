const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An ask lives 3 hours, an invitation 24. */
const livesMs = { ask: 3 * hourMs, invite: 24 * hourMs };
const beforeDepartureMs = 30 * minuteMs;

/**
 * Until when an ask or invitation must be answered: its life, cut at 30 minutes before departure; one that is made
 * later than that lives until the departure.
 */
export function answerBy(move: 'ask' | 'invite', now: Date, departsAt: Date): Date {
  const cut = departsAt.getTime() - beforeDepartureMs;
  const end = Math.min(now.getTime() + livesMs[move], cut);
  return new Date(end > now.getTime() ? end : departsAt.getTime());
}

/** Until when a passenger sees to the payment of a seat that is kept: so many minutes, at most until departure. */
export const payBy = (now: Date, departsAt: Date, minutes: number): Date =>
  new Date(
    Math.max(now.getTime() + minuteMs, Math.min(now.getTime() + minutes * minuteMs, departsAt.getTime())),
  );

/** The same for a hold that fails some days ahead: 12 hours, cut at 24 hours before departure, and never less than one. */
export const payAnewBy = (now: Date, departsAt: Date): Date =>
  new Date(
    Math.max(
      now.getTime() + hourMs,
      Math.min(now.getTime() + 12 * hourMs, departsAt.getTime() - 24 * hourMs),
    ),
  );

/** Within how many hours of the departure it is, by the nearest of the figures that people are told; null: earlier than all of them. */
export function hoursAhead(now: Date, departsAt: Date, figures: readonly number[]): number | null {
  const leftMs = departsAt.getTime() - now.getTime();
  return figures.toSorted((a, b) => a - b).find((hours) => leftMs <= hours * hourMs) ?? null;
}
