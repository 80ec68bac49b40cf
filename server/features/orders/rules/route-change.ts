import { freePermille } from '#roads/graph/traffic.ts';
import { later } from '../../../platform/clock.ts';
import { columnsOfEnds } from './ends.ts';

interface RoutePlace {
  name: string;
  detail: string;
  lon: number;
  lat: number;
}

/** The ends and stops of a route that a driver proposes, and what the road says of it without passengers. */
export interface ChangedRoute {
  from: RoutePlace;
  via: RoutePlace[];
  to: RoutePlace;
  timeZone: string;
  estimated: boolean;
  /** Missing where it was proposed before there were any such figures. */
  trafficPermille?: number;
  driveMs: number;
  driveMetres: number;
}

/** A stop of the route on it, with the drive that follows. */
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

/** What a ride's row says of its route. */
export const columnsOfRoute = ({ from, to, trafficPermille = freePermille, ...rest }: ChangedRoute) => ({
  ...rest,
  trafficPermille,
  ...columnsOfEnds({ from, to }),
});

/** When the car is at each stop of a route that is left at an instant. */
export function timesOf(route: readonly RouteStop[], departsAt: Date): Date[] {
  let at = departsAt;
  return route.map(({ standsMs, toNextMs }) => {
    const here = at;
    at = later(here, standsMs + toNextMs);
    return here;
  });
}

/** When a passenger asked to leave and to arrive. */
export interface Window {
  earliestAt: Date;
  latestAt: Date;
  arriveBy: Date;
}

/** When a passenger gets in and out on the proposed route, and how long they walk there and on. */
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
 * The window of a passenger who accepts: as much later as the ride leaves, and where the new times lie beyond
 * it, as wide as they are. `isWider` is what they must be told beforehand.
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
