import { estimateTravel } from '#roads/graph/estimate.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { trafficPermilleAt } from '../geo/service.ts';
import {
  inOtherTraffic,
  viaStandsMs,
  withoutBooking,
  type Plan,
  travelBetween,
} from '../matching/service.ts';
import { lockedPlan } from './decide/fit.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import { overlap } from './order-checks.ts';
import { fromOf, toOf } from './rules/ends.ts';
import { columnsOfRoute, newTimesOf, windowAfter, type ChangedRoute } from './rules/route-change.ts';
import { takeTime } from './decide/time.ts';
import * as store from './store.ts';

type Proposed = Pick<store.ChangeRow, 'departsAt' | 'way' | 'route'>;
interface Span {
  from: Date;
  to: Date;
}

/** A ride's new route, with its plan. */
interface NewRoute extends Pick<Proposed, 'route' | 'departsAt'> {
  way: ChangedRoute;
  plan: Plan;
}

const latest = (...times: Date[]) => new Date(Math.max(...times.map((at) => at.getTime())));

/** A ride may predate the regions loaded now: a missing road must not keep a passenger from leaving it. */
const travelOf = (app: App) => (from: { lon: number; lat: number }, to: { lon: number; lat: number }) =>
  travelBetween(app, from, to) ?? estimateTravel(from, to);

/** The span a passenger's request takes once they have accepted; null where the route does not change. */
export function spanOf(
  request: store.RequestRow,
  booking: store.BookingRow,
  byMs: number,
  { route, departsAt }: Proposed,
): Span | null {
  const times = route === null ? null : newTimesOf(route, departsAt, booking);
  if (times === null) return null;
  const window = windowAfter(request, byMs, times);
  const arrives = later(times.dropoffAt, times.dropoffWalkMs);
  return { from: window.earliestAt, to: latest(later(window.latestAt, request.driveMs), arrives) };
}

/**
 * The proposed plan, for the passengers still on board, who keep the times they were shown. Null where it can
 * no longer apply: another passenger has joined since, or the car has fewer seats.
 */
export function planFor(
  app: App,
  ride: store.RideRow,
  seated: readonly store.BookingRow[],
  { way, route, departsAt }: Proposed,
): Plan | null {
  if (way === null || route === null) return null;
  const onRoute = new Set(route.flatMap(({ bookingId }) => bookingId ?? []));
  if (seated.some(({ id }) => !onRoute.has(id))) return null;
  const departsMs = departsAt.getTime();
  let plan: Plan = {
    stops: route.map((stop) => ({ ...stop, earliestMs: -Infinity, latestMs: Infinity })),
    seats: ride.seats,
    departsMs,
    earliestDepartsMs: departsMs,
    latestDepartsMs: departsMs,
    trafficPermille: way.trafficPermille,
    aloneMs: way.driveMs,
    maxDetourMs: ride.maxDetourMs,
    preferences: 0,
  };
  const isAboard = (bookingId: string) => seated.some(({ id }) => id === bookingId);
  for (const id of onRoute) if (!isAboard(id)) plan = withoutBooking(plan, id, travelOf(app));
  return plan.stops.some(({ seatsTaken }) => seatsTaken > ride.seats) ? null : plan;
}

/** Writes the route and plan that all have accepted; their times have moved with the departure already. */
export async function takeRoute(
  app: App,
  locked: LockedOrders,
  rideId: string,
  { seated, ...route }: NewRoute & { seated: readonly store.BookingRow[] },
): Promise<void> {
  await writeRoute(app, locked, { rideId, seated }, route);
  await store.markEdited(await locked.db(), rideId);
}

/**
 * After a ride has moved to another hour: recomputes its drive times for that hour's traffic, on the same
 * route with the same stops. Does nothing where the traffic is the same.
 */
export async function followTraffic(
  app: App,
  locked: LockedOrders,
  rideId: string,
  seated: readonly store.BookingRow[],
): Promise<void> {
  const ride = (await locked.lockRide(rideId))!;
  const [from, to] = [fromOf(ride), toOf(ride)];
  const trafficPermille = trafficPermilleAt(app, from, ride.earliestDepartsAt);
  if (trafficPermille === ride.trafficPermille) return;
  const before = lockedPlan(locked, ride);
  const plan = inOtherTraffic(before, trafficPermille, travelOf(app));
  const { via, timeZone, estimated, driveMetres, departsAt } = ride;
  const driveMs = plan.aloneMs;
  const way = { from, via, to, timeZone, estimated, trafficPermille, driveMs, driveMetres };
  await writeRoute(app, locked, { rideId, seated }, { way, plan, route: [...plan.stops], departsAt });
}

/** Writes a different route and its plan; the departure and the passengers' times have moved already. */
async function writeRoute(
  app: App,
  locked: LockedOrders,
  { rideId, seated }: { rideId: string; seated: readonly store.BookingRow[] },
  route: NewRoute,
): Promise<void> {
  const { way, plan } = route;
  const ride = locked.editRide(rideId, columnsOfRoute(way));
  locked.savePlan(rideId, plan);
  const { arrivesAt } = locked.ride(rideId)!;
  const until = latest(later(ride.latestDepartsAt, way.driveMs), arrivesAt);
  const span = { id: rideId, personId: ride.driverId, from: ride.earliestDepartsAt, to: until };
  if (!takeTime(locked, span)) throw overlap('departsAt');
  for (const booking of seated.toSorted((a, b) => a.requestId.localeCompare(b.requestId)))
    await writePlace(app, locked, booking, route);
}

/** Writes one passenger's detour on the new route, and the time their request takes. */
async function writePlace(
  app: App,
  locked: LockedOrders,
  booking: store.BookingRow,
  { way, plan, route, departsAt }: NewRoute,
): Promise<void> {
  const drivenMs = ({ stops }: Plan) => stops.reduce((sum, { toNextMs }) => sum + toNextMs, 0);
  const metres = ({ stops }: Plan) => stops.reduce((sum, { toNextMetres }) => sum + toNextMetres, 0);
  const without = withoutBooking(plan, booking.id, travelOf(app));
  locked.changeBooking(booking.id, {
    detourMs: drivenMs(plan) - drivenMs(without) + 2 * viaStandsMs,
    detourMetres: metres(plan) - metres(without),
  });
  const request = (await locked.lockRequest(booking.requestId))!;
  const times = newTimesOf(route ?? [], departsAt, booking)!;
  const { earliestAt, latestAt, arriveBy, isWider } = windowAfter(request, 0, times);
  if (isWider) locked.editRequest(request.id, { earliestAt, latestAt, arriveBy });
  const span = spanOf(request, booking, 0, { departsAt, way, route })!;
  if (!takeTime(locked, { id: request.id, personId: request.passengerId, ...span }))
    throw overlap('departsAt');
}
