import type { OutputOf } from '#contract/define.ts';
import {
  positionPauseMs,
  type Arrival,
  type CarPosition,
  type tellLocation,
  type whereIsCar,
} from '#contract/trips/endpoints.ts';
import {
  comingStates,
  dayRideStates,
  dayStates,
  endedRideStates,
  seatedStates,
} from '#contract/rides/moves.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { Platform } from '../../platform/platform.ts';
import { hourMs, later } from '../../platform/clock.ts';
import { movedOn, tooMany } from '../../platform/refusal.ts';
import type { GeoService } from '../geo/service.ts';
import { orderNotFound, type BookingRow, type OrdersService, type RideRow } from '../orders/service.ts';
import { arrivalsAt } from './rules/arrivals.ts';
import * as store from './store.ts';

const boardingMs = 60_000;
/** A ride that ends without being told is ended by the clock; until then nothing older than this is kept. */
const keptMs = 6 * hourMs;

type StopRow = Awaited<ReturnType<OrdersService['stopsOf']>>[number];

/** Where the car is while a ride is under way, for those concerned and for nobody after. */
export function createPositions({ db, clock, realtime }: Platform, rides: OrdersService, geo: GeoService) {
  const { network } = geo;

  /** The drive between two places in the traffic of an instant. */
  function travelMs(from: LonLat, to: LonLat, at: Date): number | null {
    const [a, b] = [network.snap(from), network.snap(to)];
    const free = a === null || b === null ? null : network.travel(a, b);
    return free === null ? null : inTraffic(free.milliseconds, geo.trafficPermilleAt(from, at));
  }

  /** @param viaBefore how many stops of the driver's own come before it. */
  function isAhead(
    ride: RideRow,
    stop: StopRow,
    bookings: readonly BookingRow[],
    viaBefore: number,
  ): boolean {
    const state = bookings.find(({ id }) => id === stop.bookingId)?.state;
    switch (stop.kind) {
      case 'start':
        return ride.departedAt === null;
      case 'via':
        return viaBefore >= ride.viaPassed;
      case 'pickup':
        return state !== undefined && comingStates.includes(state);
      case 'dropoff':
        return state !== undefined && seatedStates.includes(state);
      case 'end':
        return true;
    }
  }

  /** When the car reaches every stop ahead; none where the roads do not lead there. */
  function arrivals(
    position: store.PositionRow,
    ride: RideRow,
    stops: readonly StopRow[],
    bookings: readonly BookingRow[],
  ): Arrival[] {
    const ahead = stops.filter((stop, index) =>
      isAhead(ride, stop, bookings, stops.slice(0, index).filter(({ kind }) => kind === 'via').length),
    );
    const toFirstMs = ahead.length === 0 ? null : travelMs(position, ahead[0]!, position.at);
    if (toFirstMs === null) return [];
    // Planned in the traffic of the departure, driven in that of now.
    const nowPermille = geo.trafficPermilleAt(position, position.at);
    const plannedMs = ({ toNextMs }: StopRow) => Math.ceil((toNextMs * nowPermille) / ride.trafficPermille);
    const timed: { stop: StopRow; toNextMs: number }[] = [];
    for (const [index, stop] of ahead.entries()) {
      const next = ahead[index + 1];
      const isNeighbour = next !== undefined && next.position === stop.position + 1;
      const toNextMs =
        next === undefined ? 0 : isNeighbour ? plannedMs(stop) : travelMs(stop, next, position.at);
      if (toNextMs === null) return [];
      timed.push({ stop, toNextMs });
    }
    const reached = arrivalsAt(
      position.at.getTime(),
      toFirstMs,
      timed.map(({ stop, toNextMs }) => ({
        agreedMs: stop.at.getTime(),
        waits: stop.kind === 'start' || stop.kind === 'pickup',
        boardingMs: stop.bookingId === null && stop.kind !== 'via' ? 0 : boardingMs,
        toNextMs,
      })),
    );
    return ahead.map(({ kind, bookingId }, index) => ({
      kind,
      bookingId,
      at: new Date(reached[index]!).toISOString(),
    }));
  }

  function viewFor(
    position: store.PositionRow,
    all: readonly Arrival[],
    mayKnow: (bookingId: string) => boolean,
  ): CarPosition {
    const { rideId, lon, lat, headingDegrees, at } = position;
    return {
      rideId,
      lon,
      lat,
      headingDegrees,
      at: at.toISOString(),
      arrivals: all.filter(({ bookingId }) => bookingId === null || mayKnow(bookingId)),
    };
  }

  /** A passenger who waits for the car or sits in it may know where it is. */
  const isConcerned = (booking: BookingRow) => dayStates.includes(booking.state);

  return {
    /** The driver says where they are: kept as the ride's last position and told to those concerned. Refuses the second one within 2 seconds. */
    async tellLocation(
      input: { id: string; lon: number; lat: number; headingDegrees: number | null },
      driverId: string,
    ): Promise<OutputOf<typeof tellLocation>> {
      const ride = await rides.rideById(input.id);
      if (ride === null || ride.driverId !== driverId) throw orderNotFound();
      if (!dayRideStates.includes(ride.state))
        throw movedOn('order.notUnderWay', 'This ride is not under way.');
      const { lon, lat, headingDegrees } = input;
      const row = { rideId: ride.id, driverId, lon, lat, headingDegrees, at: clock.now() };
      const saved = await store.savePosition(db, row, positionPauseMs);
      if (saved === null) throw tooMany(positionPauseMs / 1000);
      const [stops, bookings] = await Promise.all([
        rides.stopsOf(db, [ride.id]),
        rides.bookingsOf(db, { rideIds: [ride.id] }),
      ]);
      const all = arrivals(saved, ride, stops, bookings);
      for (const { id, passengerId } of bookings.filter(isConcerned))
        realtime.tell(
          [passengerId],
          'position',
          viewFor(saved, all, (each) => each === id),
        );
      const position = viewFor(saved, all, () => true);
      realtime.tell([driverId], 'position', position);
      return { position };
    },

    /** The last position of a ride under way, for its driver and those who wait or sit in the car; null for everybody else who may see the ride. */
    async whereIsCar(rideId: string, personId: string): Promise<OutputOf<typeof whereIsCar>> {
      const ride = await rides.rideById(rideId);
      const bookings = ride === null ? [] : await rides.bookingsOf(db, { rideIds: [rideId] });
      const own = bookings.filter(({ passengerId }) => passengerId === personId);
      if (ride === null || (ride.driverId !== personId && own.length === 0)) throw orderNotFound();
      const mine = ride.driverId === personId;
      if (endedRideStates.includes(ride.state) || (!mine && !own.some(isConcerned)))
        return { position: null };
      const saved = await store.positionOf(db, rideId);
      if (saved === null) return { position: null };
      const all = arrivals(saved, ride, await rides.stopsOf(db, [rideId]), bookings);
      return { position: viewFor(saved, all, (id) => mine || own.some((booking) => booking.id === id)) };
    },

    /** Forgets the positions of rides that have ended. */
    wipePositions: () => store.wipePositions(db, later(clock.now(), -keptMs)),
  };
}
