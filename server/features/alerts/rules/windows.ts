import { Temporal } from 'temporal-polyfill';
import type { AlertTimes } from '#contract/alerts/endpoints.ts';

/** A span of time in which somebody could leave. */
export interface Window {
  earliestAt: Date;
  latestAt: Date;
}

const dayMs = 86_400_000;

/** The calendar day at a place, `2026-11-24`. */
export const dayAt = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();

/**
 * The windows of an alert that are not over at `now`, soonest first. Those of a week keep the local time of
 * the place over a change of its clocks: a time that the spring change skips becomes the one an hour later,
 * one that the autumn change repeats is meant the first time. None is longer than a day.
 */
export function windowsOf(times: AlertTimes, timeZone: string, now: Date): Window[] {
  if (times.kind === 'once')
    return [{ earliestAt: new Date(times.earliestAt), latestAt: new Date(times.latestAt) }].filter(
      ({ latestAt }) => latestAt > now,
    );
  const wanted = new Set(times.days);
  const last = Temporal.PlainDate.from(times.until);
  const overnight = times.toTime < times.fromTime;
  const windows: Window[] = [];
  // A window of yesterday that goes past midnight may still be open.
  let day = Temporal.PlainDate.from(dayAt(now, timeZone)).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    if (!wanted.has(day.dayOfWeek)) continue;
    const start = instantMs(day, times.fromTime, timeZone);
    const end = instantMs(overnight ? day.add({ days: 1 }) : day, times.toTime, timeZone);
    // Where the spring change swallows the start, what is left of the window is its end.
    const earliestMs = Math.min(start, end);
    const latestMs = Math.min(end, earliestMs + dayMs);
    if (latestMs > now.getTime())
      windows.push({ earliestAt: new Date(earliestMs), latestAt: new Date(latestMs) });
  }
  return windows;
}

const instantMs = (day: Temporal.PlainDate, time: string, timeZone: string): number =>
  day.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
