import type { Place } from '#contract/units.ts';

/** A person's input about a commute: an order of one day, or a weekly rule. */
export interface TravelRecord {
  role: 'driver' | 'passenger';
  from: Place;
  to: Place;
  fromArea: number;
  toArea: number;
  timeZone: string;
  /** Minutes after midnight, local time of the departure place. */
  minute: number;
  visibility: 'all users' | 'all contacts' | 'tags' | 'private';
  tagIds: readonly string[];
  women: boolean;
  /** Null means the default of a ride. */
  maxDetourMs: number | null;
  when: { kind: 'day'; day: string; weekday: number } | { kind: 'weekly'; days: readonly number[] };
  /** An alert is visible only to its owner, but counts as travel. */
  isAlert: boolean;
  recurringId: string | null;
}

/** A commute as it is stored. */
export interface Commute extends Omit<TravelRecord, 'when' | 'isAlert'> {
  /** Bit 0 is Monday. */
  days: number;
  part: number;
  isCounted: boolean;
  isRegular: boolean;
}

const dayMinutes = 1440;
/** Departures within this of the earliest count as one time. */
const sameTimeMinutes = 60;
/** Most commutes of one person; further ones are left out. */
const mostCommutes = 40;

/** ISO days of the week as bits. */
export const maskOfDays = (days: Iterable<number>): number =>
  [...days].reduce((mask, day) => mask | (1 << (day - 1)), 0);

export const daysOfMask = (mask: number): number[] =>
  [1, 2, 3, 4, 5, 6, 7].filter((day) => (mask & (1 << (day - 1))) !== 0);

/** Morning, midday, evening, night: from 4, 10, 15 and 20 o'clock. */
export const partOfDay = (minute: number): number => {
  const hour = minute / 60;
  if (hour >= 4 && hour < 10) return 0;
  if (hour >= 10 && hour < 15) return 1;
  return hour >= 15 && hour < 20 ? 2 : 3;
};

/** A time of day such as `07:40`, rounded to `step` minutes. */
export function timeOf(minute: number, step: number, round: (value: number) => number = Math.round): string {
  const rounded = (((round(minute / step) * step) % dayMinutes) + dayMinutes) % dayMinutes;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(rounded / 60))}:${two(rounded % 60)}`;
}

/** The days of the week on which a person traveled at least twice, from single days. */
function repeated(weekdays: readonly number[]): number[] {
  return [...new Set(weekdays)].filter((day) => weekdays.filter((each) => each === day).length > 1);
}

function commuteOf(
  { when: _when, isAlert, ...trip }: TravelRecord,
  of: { minute: number; days: number; isRegular: boolean },
): Commute {
  return {
    ...trip,
    ...of,
    part: partOfDay(of.minute),
    // An alert is visible only to its owner.
    visibility: isAlert ? 'private' : trip.visibility,
    isCounted: !trip.women && (isAlert || trip.visibility === 'all users'),
  };
}

/** Records that differ in nothing but their day and time, the earliest time first. */
function alike(records: readonly TravelRecord[]): TravelRecord[][] {
  const groups = new Map<string, TravelRecord[]>();
  for (const trip of records) {
    const { role, fromArea, toArea, visibility, tagIds, women, isAlert } = trip;
    const key = JSON.stringify([role, fromArea, toArea, visibility, tagIds.toSorted(), women, isAlert]);
    groups.set(key, [...(groups.get(key) ?? []), trip]);
  }
  return [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => a.minute - b.minute);
    const times: TravelRecord[][] = [];
    for (const trip of sorted) {
      const last = times.at(-1);
      if (last !== undefined && trip.minute - last[0]!.minute <= sameTimeMinutes) last.push(trip);
      else times.push([trip]);
    }
    return times;
  });
}

/**
 * The commutes of a person. One is regular if it is a recurring ride or request, or if they traveled it twice
 * on the same day of the week; an alert alone is not regular. Travel within one neighborhood is no commute.
 */
export function commutesOf(records: readonly TravelRecord[]): Commute[] {
  const far = records.filter(({ fromArea, toArea }) => fromArea !== toArea);
  const weekly = far.flatMap((trip) =>
    trip.when.kind === 'weekly'
      ? [commuteOf(trip, { minute: trip.minute, days: maskOfDays(trip.when.days), isRegular: !trip.isAlert })]
      : [],
  );
  const single = alike(far.filter(({ when }) => when.kind === 'day')).map((group) => {
    const byDay = new Map(
      group.map(({ when }) => (when.kind === 'day' ? [when.day, when.weekday] : ['', 0])),
    );
    const weekdays = [...byDay.values()];
    const back = repeated(weekdays);
    const minute = group[Math.floor((group.length - 1) / 2)]!.minute;
    const days = maskOfDays(back.length > 0 ? back : weekdays);
    return commuteOf(group.at(-1)!, { minute, days, isRegular: back.length > 0 });
  });
  return [...weekly, ...single.toSorted((a, b) => Number(b.isRegular) - Number(a.isRegular))].slice(
    0,
    mostCommutes,
  );
}
