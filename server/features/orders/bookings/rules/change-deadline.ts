import { hourMs } from '../../../../platform/clock.ts';

const livesMs = 12 * hourMs;
const dayBeforeMs = 24 * hourMs;
/** Nothing is agreed anew once the day of the ride begins; and everybody has an hour to answer. */
const lastHourMs = hourMs;

/**
 * Until when those on board can answer a proposal: 12 hours, cut at 24 hours before the earlier of the old
 * and the new departure; closer to it there is one hour. Null where not even that is left before the day of
 * the ride begins.
 */
export function answerChangeBy(now: Date, departures: readonly Date[]): Date | null {
  const first = Math.min(...departures.map((each) => each.getTime()));
  const end = Math.min(now.getTime() + livesMs, Math.max(first - dayBeforeMs, now.getTime() + lastHourMs));
  return end > first - lastHourMs ? null : new Date(end);
}
