import { dayMs, hourMs, later, minuteMs, secondMs } from '../../../../platform/clock.ts';

/** The pauses after failed attempts, two days and four hours in total. */
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

/** A webhook that has failed for this long is turned off. */
export const stopAfterMs = 2 * dayMs;

/** The time of the next attempt after this many failures; null to give up. */
export function nextTryAt(tries: number, now: Date, retryAfterSeconds: number | null): Date | null {
  const pauseMs = pausesMs[tries - 1];
  if (pauseMs === undefined) return null;
  const askedMs = Math.min((retryAfterSeconds ?? 0) * secondMs, dayMs);
  return later(now, Math.max(pauseMs, askedMs));
}

const leastRestMs = 5 * secondMs;
const mostRestMs = 10 * minuteMs;

/**
 * Until when a receiver is left alone after an attempt that it did not answer, was too busy for, or failed
 * at: a tenth of the time for which it has failed. Null after any other answer, which is about the delivery.
 */
export function restsUntil(
  { status, failingSince }: { status: number | null; failingSince: Date },
  now: Date,
): Date | null {
  if (status !== null && status !== 429 && status < 500) return null;
  const failingMs = now.getTime() - failingSince.getTime();
  return later(now, Math.min(Math.max(failingMs / 10, leastRestMs), mostRestMs));
}

/** Whether a webhook is turned off after an attempt: it answered 410, or has failed for two days. */
export const isStopped = (
  { status, failingSince }: { status: number | null; failingSince: Date | null },
  now: Date,
): boolean =>
  status === 410 || (failingSince !== null && now.getTime() - failingSince.getTime() >= stopAfterMs);
