/** The departure of an empty ride is put off in steps of this length. */
const stepMs = 5 * 60_000;

/**
 * The next departure of a ride without passengers whose departure is past: the next five minutes, at most its
 * latest departure. Null where it need not move, or cannot.
 */
export function nextDeparture(
  { departsAt, latestDepartsAt }: { departsAt: Date; latestDepartsAt: Date },
  now: Date,
): Date | null {
  if (departsAt > now || now >= latestDepartsAt) return null;
  const next = (Math.floor(now.getTime() / stepMs) + 1) * stepMs;
  return new Date(Math.min(next, latestDepartsAt.getTime()));
}
