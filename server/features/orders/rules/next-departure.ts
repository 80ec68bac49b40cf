/** An empty ride waits in steps of so long. */
const stepMs = 5 * 60_000;

/**
 * When a ride that no one has joined leaves, once its departure is past: the next five minutes, at most its
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
