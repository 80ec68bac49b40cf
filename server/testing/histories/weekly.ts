import { noPreferences } from '#contract/rides/preferences.ts';
import { createRecurring } from '../../features/orders/recurring/create-recurring.ts';
import { endRecurring, skipDay as skipDayNow } from '../../features/orders/recurring/end-recurring.ts';
import { dayMs, hourMs, later } from '../../platform/clock.ts';
import { spots } from '../orders.ts';
import { driverOf, nameOf, pick, type Deed, type Find, type Move } from './deeds.ts';
import type { HistoryContext, Weekly } from './history-context.ts';
import type { Ride, World } from './world.ts';

/** Where the histories are played. Its clocks change in March and November. */
const timeZone = 'America/Los_Angeles';
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A place's calendar day, weekday (Monday is 1) and time. */
export function localOf(at: Date): { day: string; weekday: number; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)!.value;
  return {
    day: `${of('year')}-${of('month')}-${of('day')}`,
    weekday: weekdays.indexOf(of('weekday')) + 1,
    time: `${of('hour')}:${of('minute')}`,
  };
}

/** Some days before the next night in which the clocks change. */
export function beforeClockChange(now: Date, days: number): Date {
  const offsetOf = (at: Date) => (Number(localOf(at).time.slice(0, 2)) - at.getUTCHours() + 24) % 24;
  let at = later(now, days * dayMs);
  while (offsetOf(later(at, dayMs)) === offsetOf(later(at, 2 * dayMs))) at = later(at, dayMs);
  return later(at, -(days - 1) * dayMs);
}

/** There and back; those between one and three are in the night of a clock change. */
const times = [
  ['02:15', '03:00'],
  ['01:30', '02:30'],
  ['07:15', '17:30'],
  ['22:00', '01:30'],
  ['02:30', '04:00'],
  ['07:15', null],
] as const;

const publishWeekly: Find = (context, world, { which, how, more }) =>
  context.drivers
    .filter(({ id }) => !context.weekly.some(({ driverId }) => driverId === id))
    .map(({ name, id, vehicleId }) => {
      const [there, back] = pick(times, how);
      const days = pick([[7], [7], [6, 7], [1, 7]], which);
      const rule = {
        weekdays: days,
        fromDay: localOf(world.now).day,
        untilDay: localOf(later(world.now, (7 + (more % 3)) * dayMs)).day,
      };
      const order = {
        role: 'driver',
        note: '',
        contactWith: 'phone',
        flightNumber: '',
        visibility: 'all users',
        tagIds: [] as string[],
        preferences: noPreferences,
        from: spots.westside,
        to: spots.aptos,
        via: [] as never[],
        seats: 2,
        vehicleId,
        priceKind: 'perPerson',
        costCents: 900,
        instant: more % 2 === 0,
        flexMinutes: 0,
        maxDetourMinutes: 20,
      } as const;
      return {
        who: id,
        words: `${name} drives weekly on ${days.join(', ')} at ${there}, back at ${String(back)}`,
        async act() {
          const { series } = await createRecurring(context.app.platform, id, {
            series: { order, rule: { ...rule, localTime: there } },
            back:
              back === null
                ? null
                : {
                    order: { ...order, from: order.to, to: order.from },
                    rule: { ...rule, localTime: back },
                  },
          });
          const isNextDay = back !== null && back < there;
          const entered: Omit<Weekly, 'id' | 'driverId'>[] = [{ weekdays: days, localTime: there }];
          if (back !== null)
            entered.push({
              weekdays: isNextDay ? days.map((day) => (day % 7) + 1) : days,
              localTime: back,
            });
          for (const [at, each] of series.entries())
            context.weekly.push({ id: each.id, driverId: id, ...entered[at]! });
        },
      };
    });

const skipDay: Find = (context, world, { which, how }) =>
  context.weekly.map(({ id, driverId }) => {
    const { day } = localOf(later(world.now, (which % 8) * dayMs));
    const skip = how % 4 !== 0;
    return {
      who: driverId,
      words: `${driverOf(context, driverId).name} ${skip ? 'skips' : 'brings back'} ${day}`,
      act: () => skipDayNow(context.app.platform, { id, day, skip }, driverId),
    };
  });

export const endingWeekly = (context: HistoryContext): Deed[] =>
  context.weekly.map((each) => ({
    who: each.driverId,
    words: `${driverOf(context, each.driverId).name} drives weekly no longer`,
    async act() {
      context.weekly.splice(context.weekly.indexOf(each), 1);
      await endRecurring(context.app.platform, each.id, each.driverId);
    },
  }));

/** Weekly rides, with both clock changes. */
export const weeklyMoves: Record<string, Move> = {
  publishWeekly: { weight: 0.5, find: publishWeekly },
  skipDay: { weight: 0.4, find: skipDay },
  endWeekly: { weight: 0.3, find: endingWeekly },
};

/**
 * A day of weekly rides leaves on its weekday at its time by the clocks of its start. A time that the clocks
 * skip is an hour later, one that they repeat is the first.
 */
export function wrongDay({ weekly }: HistoryContext, world: World, ride: Ride): string[] {
  const of = weekly.find(({ id }) => id === ride.recurringId);
  if (of === undefined) return [];
  const at = ride.earliestDepartsAt;
  const { weekday, time } = localOf(at);
  const isSkipped = localOf(later(at, -hourMs)).time === hourBefore(of.localTime) && time > of.localTime;
  const expected = isSkipped ? hourAfter(of.localTime) : of.localTime;
  const isRepeated = localOf(later(at, -hourMs)).time === time;
  return of.weekdays.includes(weekday) && time === expected && !isRepeated
    ? []
    : [
        `${nameOf(world, ride.id)} leaves on weekday ${weekday} at ${time}, not on ${of.weekdays.join(', ')} at ${expected}`,
      ];
}

const shifted = (time: string, hours: number): string =>
  `${String((Number(time.slice(0, 2)) + hours + 24) % 24).padStart(2, '0')}${time.slice(2)}`;
const hourBefore = (time: string): string => shifted(time, -1);
const hourAfter = (time: string): string => shifted(time, 1);
