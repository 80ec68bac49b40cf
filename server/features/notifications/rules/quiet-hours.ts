import { Temporal } from 'temporal-polyfill';

export interface QuietHours {
  on: boolean;
  /** Times of day such as `22:00`, in the zone; `from` after `to` means over midnight. */
  from: string;
  to: string;
  timeZone: string;
}

/**
 * When news may go out: now, or at the end of the person's quiet hours. Equal times are no quiet hours.
 * @param tooLateAt when it is worth nothing any more, such as the departure it is about: what would come too
 *   late goes out at once, because whoever is about to be driven is awake.
 */
export function mayGoOutAt(quiet: QuietHours, now: Date, tooLateAt: Date | null = null): Date {
  const at = endOfQuiet(quiet, now);
  return tooLateAt !== null && at >= tooLateAt ? now : at;
}

function endOfQuiet(quiet: QuietHours, now: Date): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(quiet.timeZone);
  if (!quiet.on || !isQuiet(quiet, here)) return now;
  const end = nextTime(here, Temporal.PlainTime.from(quiet.to));
  // Clocks that are changed meanwhile may show a time outside of the quiet hours before their end is reached.
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
 * When the clock shows a time next; a time that a changed clock leaves out counts as far behind the change.
 */
function nextTime(here: Temporal.ZonedDateTime, time: Temporal.PlainTime): Temporal.ZonedDateTime {
  const { hour, minute } = time;
  // With the offset of now: a time that the clock shows twice may still come although it has been.
  const today = here.round({ smallestUnit: 'minute', roundingMode: 'floor' }).with({ hour, minute });
  return Temporal.ZonedDateTime.compare(today, here) > 0
    ? today
    : here.add({ days: 1 }).withPlainTime({ hour, minute });
}
