import { Temporal } from 'temporal-polyfill';
import { minuteMs } from '../platform/clock.ts';
import type { TimeOfDay, Weekday } from './demo-data.ts';

/** Times of day around the moment of the seed, where its people live. */
export interface Days {
  now: Date;
  /** A time of day on a day relative to today; the past is negative. */
  on(daysFromToday: number, time: TimeOfDay): Date;
  weekdayOn(daysFromToday: number): Weekday;
  /** The calendar day, `2026-11-24`. */
  dateOn(daysFromToday: number): string;
  /** The next time it is this day and time, at the earliest `fromMinutes` from now. */
  next(weekday: Weekday, time: TimeOfDay, fromMinutes?: number): Date;
}

/** No ride leaves sooner than this: a visitor should still be able to answer. */
const soonestMinutes = 90;

export function daysAround(now: Date, timeZone: string): Days {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const on: Days['on'] = (daysFromToday, time) => {
    const local = today.add({ days: daysFromToday }).toZonedDateTime({ timeZone, plainTime: time });
    return new Date(local.epochMilliseconds);
  };
  const weekdayOn: Days['weekdayOn'] = (daysFromToday) =>
    today.add({ days: daysFromToday }).dayOfWeek as Weekday;
  return {
    now,
    on,
    weekdayOn,
    dateOn: (daysFromToday) => today.add({ days: daysFromToday }).toString(),
    next(weekday, time, fromMinutes = soonestMinutes) {
      const first = (weekday - weekdayOn(0) + 7) % 7;
      for (let days = first; ; days += 7) {
        const instant = on(days, time);
        if (instant.getTime() >= now.getTime() + fromMinutes * minuteMs) return instant;
      }
    },
  };
}
