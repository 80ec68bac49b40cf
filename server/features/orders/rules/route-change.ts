import type { Place } from '#contract/units.ts';
import { later } from '../../../platform/clock.ts';
import { columnsOfEnds } from './ends.ts';

/** The ends and stops of a proposed route, and its drive without passengers. */
export interface ChangedRoute {
  from: Place;
  via: Place[];
  to: Place;
  timeZone: string;
  estimated: boolean;
  trafficPermille: number;
  driveMs: number;
  driveMetres: number;
}

/** A stop of the route, with the drive that follows. */
export interface RouteStop {
  kind: 'start' | 'via' | 'pickup' | 'dropoff' | 'end';
  bookingId: string | null;
  lon: number;
  lat: number;
  standsMs: number;
  toNextMs: number;
  toNextMetres: number;
  seatsTaken: number;
}

/** The columns of a ride's route. */
export const columnsOfRoute = ({ from, to, ...rest }: ChangedRoute) => ({
  ...rest,
  ...columnsOfEnds({ from, to }),
});

/** When the car is at each stop of a route with a given departure. */
export function timesOf(route: readonly RouteStop[], departsAt: Date): Date[] {
  let at = departsAt;
  return route.map(({ standsMs, toNextMs }) => {
    const here = at;
    at = later(here, standsMs + toNextMs);
    return here;
  });
}

/** The window a passenger asked for. */
export interface Window {
  earliestAt: Date;
  latestAt: Date;
  arriveBy: Date;
}

/** A passenger's pick-up and drop-off on the proposed route, and their walks there. */
export interface NewTimes {
  pickupAt: Date;
  dropoffAt: Date;
  pickupWalkMs: number;
  dropoffWalkMs: number;
}

/** The new times of one passenger on a route. */
export function newTimesOf(
  route: readonly RouteStop[],
  departsAt: Date,
  booking: { id: string; pickupWalkMs: number; dropoffWalkMs: number },
): NewTimes | null {
  const times = timesOf(route, departsAt);
  const at = (kind: 'pickup' | 'dropoff') =>
    times[route.findIndex((stop) => stop.bookingId === booking.id && stop.kind === kind)];
  const [pickupAt, dropoffAt] = [at('pickup'), at('dropoff')];
  if (pickupAt === undefined || dropoffAt === undefined) return null;
  return {
    pickupAt,
    dropoffAt,
    pickupWalkMs: booking.pickupWalkMs,
    dropoffWalkMs: booking.dropoffWalkMs,
  };
}

/**
 * The window of a passenger who accepts: moved as far as the ride's departure, and widened to include the new
 * times. `isWider` must be shown to them beforehand.
 */
export function windowAfter(
  window: Window,
  byMs: number,
  { pickupAt, dropoffAt, pickupWalkMs, dropoffWalkMs }: NewTimes,
): Window & { isWider: boolean } {
  const shifted = (at: Date) => later(at, byMs).getTime();
  const [earliest, latest, arrive] = [
    shifted(window.earliestAt),
    shifted(window.latestAt),
    shifted(window.arriveBy),
  ];
  const earliestMs = Math.min(earliest, pickupAt.getTime() - pickupWalkMs);
  const latestMs = Math.max(latest, pickupAt.getTime());
  const arriveByMs = Math.max(arrive, dropoffAt.getTime() + dropoffWalkMs);
  return {
    earliestAt: new Date(earliestMs),
    latestAt: new Date(latestMs),
    arriveBy: new Date(arriveByMs),
    isWider: earliestMs < earliest || latestMs > latest || arriveByMs > arrive,
  };
}
