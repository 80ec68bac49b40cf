import type { Place } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { later } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import { trafficPermilleAt, timeZoneAt } from '../geo/service.ts';
import { peopleByIds } from '../identity/service.ts';
import { agreedSpot, planAlone, type Via, rerouteRide, wishOf } from '../matching/service.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import { locateLegs } from './quotes.ts';
import type { ChangedRoute, RouteStop } from './rules/route-change.ts';
import * as store from './store.ts';

type EnteredWay = Pick<ChangedRoute, 'from' | 'via' | 'to'>;

const plain = ({ name, detail, lon, lat }: Place) => ({ name, detail, lon, lat });

/**
 * Plans another route with a given departure; all on board keep the places where they get in and out today.
 * Refuses places as publishing does, and `change.leavesBehind` with the names of those it cannot serve.
 */
export async function proposeRoute(
  app: App,
  locked: LockedOrders,
  { ride, seated }: { ride: store.RideRow; seated: readonly store.BookingRow[] },
  { way, departsAt }: { way: EnteredWay; departsAt: Date },
): Promise<{ way: ChangedRoute; route: RouteStop[]; span: { from: Date; to: Date } }> {
  const { legs, estimated } = locateLegs(app, way, 'way.');
  const byMs = departsAt.getTime() - ride.departsAt.getTime();
  const leavesAt = later(ride.earliestDepartsAt, byMs);
  const trafficPermille = trafficPermilleAt(app, way.from, leavesAt);
  const alone = planAlone({
    from: way.from,
    to: way.to,
    drive: legs[0]!,
    via: way.via.map(({ lon, lat }, index): Via => ({ lon, lat, drive: legs[index + 1]! })),
    seats: ride.seats,
    maxDetourMs: ride.maxDetourMs,
    earliestDepartsMs: departsAt.getTime(),
    latestDepartsMs: departsAt.getTime(),
    trafficPermille,
  });
  const found = rerouteRide(app, alone, await ridersOf(locked, seated, byMs));
  if ('lost' in found)
    throw await leavesBehind(
      app,
      await locked.db(),
      ride,
      seated.filter(({ id }) => found.lost.includes(id)),
    );
  const { stops } = found.plan;
  const driveMs = alone.aloneMs;
  const wholeMs = stops.reduce((sum, { standsMs, toNextMs }) => sum + standsMs + toNextMs, 0);
  const [latestArrival, arrival] = [later(ride.latestDepartsAt, byMs + driveMs), later(departsAt, wholeMs)];
  return {
    way: {
      from: plain(way.from),
      via: way.via.map(plain),
      to: plain(way.to),
      timeZone: timeZoneAt(way.from.lon, way.from.lat),
      estimated,
      trafficPermille,
      driveMs,
      driveMetres: legs.reduce((sum, leg) => sum + leg.metres, 0),
    },
    route: stops.map(({ earliestMs: _from, latestMs: _to, ...stop }) => stop),
    span: { from: leavesAt, to: latestArrival > arrival ? latestArrival : arrival },
  };
}

/**
 * The passengers on board, who meet the car at their agreed places, later by the same time as the departure.
 */
async function ridersOf(locked: LockedOrders, seated: readonly store.BookingRow[], byMs: number) {
  const requests = await store.requestsByIds(
    await locked.db(),
    seated.map(({ requestId }) => requestId),
  );
  return seated.map((booking) => {
    const wish = wishOf(requests.find(({ id }) => id === booking.requestId)!);
    return {
      bookingId: booking.id,
      wish: {
        ...wish,
        pickups: [agreedSpot(booking, 'pickup')],
        dropoffs: [agreedSpot(booking, 'dropoff')],
        earliestMs: wish.earliestMs + byMs,
        latestMs: wish.latestMs + byMs,
        arriveByMs: wish.arriveByMs + byMs,
      },
    };
  });
}

async function leavesBehind(app: App, db: Db, ride: store.RideRow, lost: readonly store.BookingRow[]) {
  const people = await peopleByIds(
    app,
    lost.map(({ passengerId }) => passengerId),
    db,
  );
  const names = lost.map(({ passengerId }) => people.get(passengerId)?.name ?? '').join(', ');
  const minutes = Math.round(ride.maxDetourMs / 60_000);
  return refuseField(
    'change.leavesBehind',
    'way',
    `This route can’t take ${names} with a detour of up to ${minutes} min and your seats. Please choose another route, or allow a longer detour first.`,
    { names, minutes },
  );
}
