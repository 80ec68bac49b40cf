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

export type CancelTier = '2' | '24' | 'more';

/** In which of the stretches before departure a cancellation falls: within 2 hours, within 24 hours, or earlier. */
export function cancelTier(now: Date, departsAt: Date): CancelTier {
  const left = departsAt.getTime() - now.getTime();
  if (left <= 2 * hourMs) return '2';
  return left <= 24 * hourMs ? '24' : 'more';
}
