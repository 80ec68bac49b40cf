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

export type CancelTier = '2' | '24' | 'more';

/** In which of the stretches before departure a cancellation falls: within 2 hours, within 24 hours, or earlier. */
export function cancelTier(now: Date, departsAt: Date): CancelTier {
  const left = departsAt.getTime() - now.getTime();
  if (left <= 2 * hourMs) return '2';
  return left <= 24 * hourMs ? '24' : 'more';
}
