import { Temporal } from 'temporal-polyfill';
import { hourMs, later } from '../../../platform/clock.ts';

export type Reminder = 'evening' | 'hour';

/** Seven in the evening, local time at the ride's start. */
const eveningHour = 19;

/**
 * The reminder that is due now for a person who leaves `at` in a zone: the one of the evening before, until
 * the one an hour before replaces it, and none after departure. A person who agreed after a reminder's time
 * does not need it.
 */
export function reminderDue(
  { at, timeZone, agreedAt }: { at: Date; timeZone: string; agreedAt: Date },
  now: Date,
): Reminder | null {
  if (now >= at) return null;
  const hourBefore = later(at, -hourMs);
  if (now >= hourBefore) return agreedAt <= hourBefore ? 'hour' : null;
  const evening = eveningBefore(at, timeZone);
  return now >= evening && agreedAt <= evening ? 'evening' : null;
}

/** When a reminder of someone who leaves `at` may next be due, after `now`; null when none is any more. */
export function nextReminderAt({ at, timeZone }: { at: Date; timeZone: string }, now: Date): Date | null {
  const times = [eveningBefore(at, timeZone), later(at, -hourMs)].filter((each) => each > now && each < at);
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

function eveningBefore(at: Date, timeZone: string): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .subtract({ days: 1 });
  const evening = day.toZonedDateTime({ timeZone, plainTime: { hour: eveningHour } });
  return new Date(evening.epochMilliseconds);
}
