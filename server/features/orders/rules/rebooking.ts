const hourMs = 3_600_000;
/** A passenger whose ride was lost has this long to be picked up by another. */
const rescueMs = hourMs;
/** The same for a passenger whose ride ended on the way, from then on. */
export const strandedWindowMs = rescueMs;
/** Later than this after the agreed pick-up the search ends. */
const givenUpAfterMs = 2 * hourMs;

/**
 * The new window of a request after its driver let the passenger down: another hour, at most until two hours
 * after the agreed pick-up, and never shorter than before. The arrival moves by the same time.
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
