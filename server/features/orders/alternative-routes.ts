import type { Place } from '#contract/units.ts';
import { estimateTravel } from '#roads/estimate.ts';
import { freePermille } from '#roads/traffic.ts';
import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { refuseField } from '../../platform/refusal.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import {
  agreedSpot,
  inOtherTraffic,
  planAlone,
  viaStandsMs,
  withoutBooking,
  type MatchingService,
  type Plan,
  type Via,
} from '../matching/service.ts';
import { columnsOfWay, newTimesOf, windowAfter, type OtherWay, type RouteStop } from './rules/other-way.ts';
import * as store from './store.ts';
import type { Quotes } from './quotes.ts';

type EnteredWay = Pick<OtherWay, 'from' | 'via' | 'to'>;
type Proposed = Pick<store.ChangeRow, 'departsAt' | 'way' | 'route'>;
interface Span {
  from: Date;
  to: Date;
}

const plain = ({ name, detail, lon, lat }: Place) => ({ name, detail, lon, lat });
const latest = (...times: Date[]) => new Date(Math.max(...times.map((at) => at.getTime())));

/** Another way for a ride that people have joined: what it would mean for them, and taking it once all have agreed. */
export function createAlternativeRoutes(
  { geo, identity, matching }: { geo: GeoService; identity: IdentityService; matching: MatchingService },
  ways: Quotes,
) {
  /** A ride may be older than the regions loaded now: leaving it must not fail for want of roads. */
  const travel = (from: { lon: number; lat: number }, to: { lon: number; lat: number }) =>
    matching.travel(from, to) ?? estimateTravel(from, to);

  /** When a passenger's time is taken by their request, once they have accepted. */
  function spanOf(
    request: store.RequestRow,
    booking: store.BookingRow,
    byMs: number,
    of: Proposed,
  ): Span | null {
    const times = of.route === null ? null : newTimesOf(of.route, of.departsAt, booking);
    if (times === null) return null;
    const window = windowAfter(request, byMs, times);
    const arrives = later(times.dropoffAt, times.dropoffWalkMs);
    return { from: window.earliestAt, to: latest(later(window.latestAt, request.driveMs), arrives) };
  }

  /** Writes another way and its plan; the ride's departure and those on board have moved already. */
  async function write(
    tx: Db,
    rideId: string,
    seated: readonly store.BookingRow[],
    { way, plan, route, departsAt }: { way: OtherWay; plan: Plan } & Pick<Proposed, 'route' | 'departsAt'>,
  ): Promise<void> {
    const ride = await store.editRide(tx, rideId, columnsOfWay(way));
    await store.savePlan(tx, rideId, plan);
    const { arrivesAt } = (await store.ridesByIds(tx, [rideId]))[0]!;
    const until = latest(later(ride.latestDepartsAt, way.driveMs), arrivesAt);
    await store.takeSpan(tx, rideId, ride.driverId, ride.earliestDepartsAt, until);
    const driven = (of: Plan) => of.stops.reduce((sum, { toNextMs }) => sum + toNextMs, 0);
    const metres = (of: Plan) => of.stops.reduce((sum, { toNextMetres }) => sum + toNextMetres, 0);
    for (const booking of seated.toSorted((a, b) => a.requestId.localeCompare(b.requestId))) {
      const without = withoutBooking(plan, booking.id, travel);
      await store.updateBooking(tx, booking.id, {
        detourMs: driven(plan) - driven(without) + 2 * viaStandsMs,
        detourMetres: metres(plan) - metres(without),
      });
      const request = (await store.lockRequest(tx, booking.requestId))!;
      const times = newTimesOf(route ?? [], departsAt, booking)!;
      const { earliestAt, latestAt, arriveBy, isWider } = windowAfter(request, 0, times);
      if (isWider) await store.editRequest(tx, request.id, { earliestAt, latestAt, arriveBy });
      const span = spanOf(request, booking, 0, { departsAt, way, route })!;
      await store.takeSpan(tx, request.id, request.passengerId, span.from, span.to);
    }
  }

  return {
    spanOf,

    /**
     * Another way that leaves at an instant, with all who are on board put in anew where they get in and out today.
     * Refuses places as publishing does, and `change.leavesBehind` with the names of those whom it cannot take along.
     */
    async propose(
      tx: Db,
      ride: store.RideRow,
      seated: readonly store.BookingRow[],
      { way, departsAt }: { way: EnteredWay; departsAt: Date },
    ): Promise<{ way: OtherWay; route: RouteStop[]; span: Span }> {
      const { legs, estimated } = ways.locateLegs(way, 'way.');
      const byMs = departsAt.getTime() - ride.departsAt.getTime();
      const leavesAt = later(ride.earliestDepartsAt, byMs);
      const trafficPermille = geo.trafficPermilleAt(way.from, leavesAt);
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
      const requests = await store.requestsByIds(
        tx,
        seated.map(({ requestId }) => requestId),
      );
      const riders = seated.map((booking) => {
        const wish = matching.wishOf(requests.find(({ id }) => id === booking.requestId)!);
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
      const found = matching.reroute(alone, riders);
      if ('lost' in found) {
        const lost = seated.filter(({ id }) => found.lost.includes(id)).map(({ passengerId }) => passengerId);
        const people = await identity.people(lost);
        const names = lost.map((id) => people.get(id)?.name ?? '').join(', ');
        const minutes = Math.round(ride.maxDetourMs / 60_000);
        throw refuseField(
          'change.leavesBehind',
          'way',
          `This way cannot take ${names} along within your maximum detour of ${minutes} minutes and your seats. Please choose another way, or allow a longer detour first.`,
          { names, minutes },
        );
      }
      const { stops } = found.plan;
      const route = stops.map(({ earliestMs: _from, latestMs: _to, ...stop }) => stop);
      const driveMs = alone.aloneMs;
      const arrivesAt = later(
        departsAt,
        stops.reduce((sum, { standsMs, toNextMs }) => sum + standsMs + toNextMs, 0),
      );
      return {
        way: {
          from: plain(way.from),
          via: way.via.map(plain),
          to: plain(way.to),
          timeZone: geo.timeZoneAt(way.from.lon, way.from.lat),
          estimated,
          trafficPermille,
          driveMs,
          driveMetres: legs.reduce((sum, leg) => sum + leg.metres, 0),
        },
        route,
        span: {
          from: leavesAt,
          to: latest(later(ride.latestDepartsAt, byMs + driveMs), arrivesAt),
        },
      };
    },

    /**
     * The plan that was proposed, for those who are still on board: who stays has the times that they were shown. Null
     * where it cannot stand any more: somebody has come on board since, or the car has fewer seats.
     */
    planFor(ride: store.RideRow, seated: readonly store.BookingRow[], of: Proposed): Plan | null {
      if (of.way === null || of.route === null) return null;
      const onRoute = new Set(of.route.flatMap(({ bookingId }) => bookingId ?? []));
      const isAboard = (id: string) => seated.some((booking) => booking.id === id);
      if (seated.some(({ id }) => !onRoute.has(id))) return null;
      const departsMs = of.departsAt.getTime();
      let plan: Plan = {
        stops: of.route.map((stop) => ({ ...stop, earliestMs: -Infinity, latestMs: Infinity })),
        seats: ride.seats,
        departsMs,
        earliestDepartsMs: departsMs,
        latestDepartsMs: departsMs,
        trafficPermille: of.way.trafficPermille ?? freePermille,
        aloneMs: of.way.driveMs,
        maxDetourMs: ride.maxDetourMs,
        preferences: 0,
      };
      for (const id of onRoute) if (!isAboard(id)) plan = withoutBooking(plan, id, travel);
      return plan.stops.some(({ seatsTaken }) => seatsTaken > ride.seats) ? null : plan;
    },

    /** Writes the way and the plan that all have agreed to; their times have moved with the departure already. */
    async take(...of: Parameters<typeof write>): Promise<void> {
      const [tx, rideId] = of;
      await write(...of);
      await store.markEdited(tx, rideId);
    },

    /**
     * After a ride has moved to another hour: its drives take what they take then, on the same way by the same stops. Does
     * nothing where they take as long as before.
     */
    async followTraffic(tx: Db, rideId: string, seated: readonly store.BookingRow[]): Promise<void> {
      const ride = (await store.ridesByIds(tx, [rideId]))[0]!;
      const from = { name: ride.fromName, detail: ride.fromDetail, lon: ride.fromLon, lat: ride.fromLat };
      const to = { name: ride.toName, detail: ride.toDetail, lon: ride.toLon, lat: ride.toLat };
      const trafficPermille = geo.trafficPermilleAt(from, ride.earliestDepartsAt);
      if (trafficPermille === ride.trafficPermille) return;
      const plan = inOtherTraffic(await matching.planOf(tx, ride), trafficPermille, travel);
      const { via, timeZone, estimated, driveMetres, departsAt } = ride;
      const driveMs = plan.aloneMs;
      const way = { from, via, to, timeZone, estimated, trafficPermille, driveMs, driveMetres };
      await write(tx, rideId, seated, { way, plan, route: [...plan.stops], departsAt });
    },
  };
}
