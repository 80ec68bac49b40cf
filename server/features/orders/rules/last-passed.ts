import type { BookingState } from '#contract/rides/moves.ts';

/**
 * The last stop of a route that the car has surely left: 0 is the start.
 * @param stops in order, each with the state of its booking.
 * @param viaPassed how many of the driver's own stops the car has left.
 */
export function lastPassed(
  stops: readonly { kind: 'start' | 'via' | 'pickup' | 'dropoff' | 'end'; state: BookingState | null }[],
  viaPassed: number,
): number {
  let last = 0;
  let via = 0;
  for (const [position, { kind, state }] of stops.entries()) {
    if (kind === 'via') via++;
    const isPassed =
      (kind === 'via' && via <= viaPassed) ||
      (kind === 'pickup' && (state === 'picked' || state === 'finished')) ||
      (kind === 'dropoff' && state === 'finished');
    if (isPassed) last = position;
  }
  return last;
}
