import { Temporal } from 'temporal-polyfill';
import { later } from '../../../platform/clock.ts';

export interface QuietHours {
  on: boolean;
  /** Times of day such as `22:00`, in the zone; `from` after `to` means over midnight. */
  from: string;
  to: string;
  timeZone: string;
}

/**
 * When a notification may be sent: now, or at the end of the person's quiet hours. Equal times mean no quiet
 * hours.
 * @param tooLateAt when it becomes useless, such as its ride's departure: one that would be too late is sent
 *   at once, because a person about to travel is awake.
 */
export function mayGoOutAt(quiet: QuietHours, now: Date, tooLateAt: Date | null = null): Date {
  const at = endOfQuiet(quiet, now);
  return tooLateAt !== null && at >= tooLateAt ? now : at;
}

/**
 * When an email may be sent that follows a push message: after a pause, and at the end of quiet hours after
 * another one, so that the push message has had its time to leave.
 */
export function mayFollowPushAt(
  quiet: QuietHours,
  now: Date,
  { pauseMs, tooLateAt = null }: { pauseMs: number; tooLateAt?: Date | null },
): Date {
  const at = later(now, pauseMs);
  const mayAt = mayGoOutAt(quiet, at, tooLateAt);
  return mayAt > at ? later(mayAt, pauseMs) : mayAt;
}

function endOfQuiet(quiet: QuietHours, now: Date): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(quiet.timeZone);
  if (!quiet.on || !isQuiet(quiet, here)) return now;
  const end = nextTime(here, Temporal.PlainTime.from(quiet.to));
  // A change of the clocks may skip to a time outside of the quiet hours before their end.
  const change = here.getTimeZoneTransition('next');
  const isOverAtChange =
    change !== null && Temporal.ZonedDateTime.compare(change, end) < 0 && !isQuiet(quiet, change);
  return new Date((isOverAtChange ? change : end).epochMilliseconds);
}

function isQuiet({ from, to }: QuietHours, at: Temporal.ZonedDateTime): boolean {
  const time = at.toPlainTime();
  const isAfter = (start: string) => Temporal.PlainTime.compare(time, start) >= 0;
  return from <= to ? isAfter(from) && !isAfter(to) : isAfter(from) || !isAfter(to);
}

/**
 * The next instant of a local time; a time that a change of the clocks skips counts as equally far after the
 * change.
 */
function nextTime(here: Temporal.ZonedDateTime, time: Temporal.PlainTime): Temporal.ZonedDateTime {
  const { hour, minute } = time;
  // With the current offset: a time that occurs twice may come again.
  const today = here.round({ smallestUnit: 'minute', roundingMode: 'floor' }).with({ hour, minute });
  return Temporal.ZonedDateTime.compare(today, here) > 0
    ? today
    : here.add({ days: 1 }).withPlainTime({ hour, minute });
}
