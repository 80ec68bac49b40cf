import { minuteMs } from '../../../platform/clock.ts';

export interface QuietHours {
  on: boolean;
  /** Times of day such as `22:00`, in the zone; `from` after `to` means over midnight. */
  from: string;
  to: string;
  timeZone: string;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Minutes since midnight where the person is. */
function minuteOfDay(at: Date, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
  return minutesOf(shown);
}

const isQuiet = (minute: number, from: number, to: number): boolean =>
  from <= to ? minute >= from && minute < to : minute >= from || minute < to;

/**
 * When news may go out: now, or at the end of the person's quiet hours. Equal times are no quiet hours.
 * @param tooLateAt when it is worth nothing any more, such as the departure it is about: what would come too late goes
 * out at once, because whoever is about to be driven is awake.
 */
export function mayGoOutAt(quiet: QuietHours, now: Date, tooLateAt: Date | null = null): Date {
  const at = endOfQuiet(quiet, now);
  return tooLateAt !== null && at >= tooLateAt ? now : at;
}

function endOfQuiet(quiet: QuietHours, now: Date): Date {
  if (!quiet.on) return now;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  // Walked minute by minute, so that a night with a changed clock ends at the hour that people see.
  const start = Math.floor(now.getTime() / minuteMs) * minuteMs;
  for (let waited = 0; waited <= 25 * 60; waited++) {
    const at = new Date(start + waited * minuteMs);
    if (!isQuiet(minuteOfDay(at, quiet.timeZone), from, to)) return waited === 0 ? now : at;
  }
  return now;
}
