import { dayMs, hourMs, later, minuteMs, secondMs } from '../../../../platform/clock.ts';

/** The pause after each try that failed; two days and four hours together. */
const pausesMs = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
];

/** An address that has failed for so long, each time, is not tried any more. */
export const stopAfterMs = 2 * dayMs;

/** When to try again what has failed so often; null where it is given up. */
export function nextTryAt(tries: number, now: Date, retryAfterSeconds: number | null): Date | null {
  const pauseMs = pausesMs[tries - 1];
  if (pauseMs === undefined) return null;
  const askedMs = Math.min((retryAfterSeconds ?? 0) * secondMs, dayMs);
  return later(now, Math.max(pauseMs, askedMs));
}

/** Whether an address is given up after a try: it has said so, or all has failed for days. */
export const isStopped = (
  { status, failingSince }: { status: number | null; failingSince: Date | null },
  now: Date,
): boolean =>
  status === 410 || (failingSince !== null && now.getTime() - failingSince.getTime() >= stopAfterMs);
