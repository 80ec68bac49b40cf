import { Temporal } from 'temporal-polyfill';
import type { Area, PopularWay } from '#contract/discover/endpoints.ts';
import type { Place } from '#contract/units.ts';

type Times = Pick<PopularWay, 'days' | 'fromTime' | 'toTime'>;

/** Who leaves a little earlier or later than most is worth telling too. */
const marginMinutes = 20;
const alertWeeks = 8;
/** A shortcut this near to the point of a neighborhood lies in it, or next to it. */
const inAreaDegrees = { lon: 0.012, lat: 0.009 };

/**
 * The times of a weekly alert for a commute: those of most people, and a little more.
 * @param today `2026-11-24` there.
 */
export function alertTimes({ days, fromTime, toTime }: Times, today: string) {
  const shifted = (time: string, minutes: number) =>
    Temporal.PlainTime.from(time).add({ minutes }).toString({ smallestUnit: 'minute' });
  return {
    kind: 'weekly' as const,
    days,
    fromTime: shifted(fromTime, -marginMinutes),
    toTime: shifted(toTime, marginMinutes),
    until: Temporal.PlainDate.from(today).add({ weeks: alertWeeks }).toString(),
  };
}

/**
 * The first day of a week of rides on a commute, and the time in the middle of most people's, as its place's
 * clocks show it: `2026-11-24T07:40`. Tomorrow at the earliest. @param today `2026-11-23` there.
 */
export function firstDeparture({ days, fromTime, toTime }: Times, today: string): string {
  const [from, to] = [Temporal.PlainTime.from(fromTime), Temporal.PlainTime.from(toTime)];
  const lasts = (from.until(to).total('minutes') + 1440) % 1440;
  const middle = from.add({ minutes: Math.floor(lasts / 2 / 5) * 5 });
  let day = Temporal.PlainDate.from(today).add({ days: 1 });
  while (!days.includes(day.dayOfWeek)) day = day.add({ days: 1 });
  return day.toPlainDateTime(middle).toString({ smallestUnit: 'minute' });
}

/** One's own place in a neighborhood, where a shortcut lies in it, else the neighborhood's point. */
export function placeIn(area: Area, shortcuts: readonly Place[]): Place {
  const own = shortcuts.find(
    ({ lon, lat }) =>
      Math.abs(lon - area.lon) <= inAreaDegrees.lon && Math.abs(lat - area.lat) <= inAreaDegrees.lat,
  );
  const { name, detail, lon, lat } = own ?? area;
  return { name, detail, lon, lat };
}
