import { hourMs } from '../../../../platform/clock.ts';

const livesMs = 12 * hourMs;
const dayBeforeMs = 24 * hourMs;
/** Nothing can be agreed once the day of the ride begins; and all on board have an hour to answer. */
const lastHourMs = hourMs;

/**
 * The deadline for answering a proposal: 12 hours, cut at 24 hours before the earlier of the old and the new
 * departure; closer to it, one hour. Null where the day of the ride begins before that hour is over.
 */
export function answerChangeBy(now: Date, departures: readonly Date[]): Date | null {
  const first = Math.min(...departures.map((each) => each.getTime()));
  const end = Math.min(now.getTime() + livesMs, Math.max(first - dayBeforeMs, now.getTime() + lastHourMs));
  return end > first - lastHourMs ? null : new Date(end);
}
