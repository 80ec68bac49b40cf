import { createAlert } from '#contract/alerts/endpoints.ts';
import type { InputOf } from '#contract/define.ts';
import { maxDetourMinutes } from '#contract/rides/endpoints.ts';
import type { Preferences } from '#contract/rides/preferences.ts';
import type { Order } from '#contract/rides/views.ts';
import { planAheadDays, type Place } from '#contract/units.ts';
import { dayOf } from '#contract/formats/times.ts';
import { localOf } from '../../core/zoned-time.ts';

export type AlertInput = InputOf<typeof createAlert>['alert'];
export type WeeklyTimes = Extract<AlertInput['times'], { kind: 'weekly' }>;

/** An alert for the one window that was searched for. */
export type OnceAlert = AlertInput & { times: { kind: 'once' } };

const minuteMs = 60_000;
const dayMs = 86_400_000;
/**
 * A weekly window is offered at least this long: the same trip next week leaves a little earlier or later.
 */
const shortestWindowMinutes = 30;
const weeksOffered = 8;

const placeOf = ({ name, detail, lon, lat }: Place): Place => ({ name, detail, lon, lat });

/** An alert for what one of my published orders needs. */
export function alertOfOrder(order: Order): OnceAlert {
  const { from, to, seats, preferences } = order;
  const common = { from: placeOf(from), to: placeOf(to), seats, preferences };
  return order.role === 'passenger'
    ? {
        role: 'passenger',
        ...common,
        times: { kind: 'once', earliestAt: order.earliestAt, latestAt: order.latestAt },
        offerCents: order.offerCents,
        walkMetres: order.walkMetres,
      }
    : {
        role: 'driver',
        ...common,
        times: { kind: 'once', earliestAt: order.departsAt, latestAt: order.latestDepartsAt },
        maxDetourMinutes: Math.min(maxDetourMinutes, Math.round(order.maxDetourSeconds / 60)),
        priceKind: order.priceKind,
        costCents: order.costCents,
      };
}

/** An alert for passengers of a ride being planned. */
export function alertOfRide(ride: {
  from: Place;
  to: Place;
  seats: number;
  departsAt: string;
  flexMinutes: number;
  maxDetourMinutes: number | null;
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
  preferences: Preferences;
}): OnceAlert {
  const {
    from,
    to,
    seats,
    departsAt,
    flexMinutes,
    maxDetourMinutes: most,
    priceKind,
    costCents,
    preferences,
  } = ride;
  const latestAt = new Date(Date.parse(departsAt) + flexMinutes * minuteMs).toISOString();
  const times = { kind: 'once' as const, earliestAt: departsAt, latestAt };
  return {
    role: 'driver',
    from,
    to,
    seats,
    times,
    maxDetourMinutes: most,
    priceKind,
    costCents,
    preferences,
  };
}

/** The same day and time in the weeks to come, to start the choice from. */
export function weeklyOf({ times }: OnceAlert, timeZone: string, now: number): WeeklyTimes {
  const [start, end] = [Date.parse(times.earliestAt), Date.parse(times.latestAt)];
  const longer = Math.max(0, shortestWindowMinutes * minuteMs - (end - start));
  const timeAt = (at: number) => localOf(at, timeZone).slice(11, 16);
  return {
    kind: 'weekly',
    days: [weekdayOf(dayOf(start, timeZone))],
    fromTime: timeAt(start - longer / 2),
    toTime: timeAt(end + longer / 2),
    until: dayOf(Math.min(start + weeksOffered * 7 * dayMs, now + planAheadDays * dayMs), timeZone),
  };
}

/** 1 is Monday, 7 Sunday. */
const weekdayOf = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay() || 7;
