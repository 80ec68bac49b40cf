const hourMs = 3_600_000;
/** Somebody who was left standing has this long to be picked up by another ride. */
const rescueMs = hourMs;
/** So does somebody whose ride ended on the way, from then on. */
export const strandedWindowMs = rescueMs;
/** Later than this after the pick-up that was agreed nobody is looked for any more. */
const givenUpAfterMs = 2 * hourMs;

/**
 * The window of a request whose driver has let it down: open for another hour, at most until two hours after
 * the agreed pick-up, and never shorter than it was. The arrival may be as much later.
 */
export function rescueWindow(
  request: { latestAt: Date; arriveBy: Date },
  lostPickupAt: Date,
  now: Date,
): { latestAt: Date; arriveBy: Date } {
  const untilMs = Math.min(now.getTime() + rescueMs, lostPickupAt.getTime() + givenUpAfterMs);
  const laterMs = Math.max(0, untilMs - request.latestAt.getTime());
  return {
    latestAt: new Date(request.latestAt.getTime() + laterMs),
    arriveBy: new Date(request.arriveBy.getTime() + laterMs),
  };
}
