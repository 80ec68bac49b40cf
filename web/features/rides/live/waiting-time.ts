/**
 * How long a driver has to wait at a stop: not known before the server has heard of the arrival, running, or
 * over.
 */
export type WaitingTime = 'unknown' | 'running' | 'over';

/**
 * @param from when the wait is over, as the server says; null while it does not know of the arrival, as
 *   without a connection
 */
export function waitingTime(from: string | null, now: number): WaitingTime {
  if (from === null) return 'unknown';
  return now < Date.parse(from) ? 'running' : 'over';
}
