import { Temporal } from 'temporal-polyfill';
import type { AlertTimes } from '#contract/alerts/endpoints.ts';

/** A span of time in which a person could leave. */
export interface Window {
  earliestAt: Date;
  latestAt: Date;
}

const dayMs = 86_400_000;

/** The calendar day at a place, `2026-11-24`. */
export const dayAt = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();

/**
 * The windows of an alert that are not over at `now`, soonest first. Weekly windows keep the local time
 * across clock changes: a time skipped in spring becomes one hour later, a time repeated in autumn means the
 * first. None is longer than a day.
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
  // A window that began yesterday and goes past midnight may still be open.
  let day = Temporal.PlainDate.from(dayAt(now, timeZone)).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    if (!wanted.has(day.dayOfWeek)) continue;
    const start = instantMs(day, times.fromTime, timeZone);
    const end = instantMs(overnight ? day.add({ days: 1 }) : day, times.toTime, timeZone);
    // Where the spring change skips the start, only the rest of the window is left.
    const earliestMs = Math.min(start, end);
    const latestMs = Math.min(end, earliestMs + dayMs);
    if (latestMs > now.getTime())
      windows.push({ earliestAt: new Date(earliestMs), latestAt: new Date(latestMs) });
  }
  return windows;
}

const instantMs = (day: Temporal.PlainDate, time: string, timeZone: string): number =>
  day.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
