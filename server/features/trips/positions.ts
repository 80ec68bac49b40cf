import type { OutputOf } from '#contract/define.ts';
import {
  positionPauseMs,
  type Arrival,
  type CarPosition,
  type tellLocation as tellCall,
  type whereIsCar as whereCall,
} from '#contract/trips/endpoints.ts';
import { keptMs } from '#contract/privacy/retention.ts';
import {
  dayRideStates,
  dayStates,
  endedRideStates,
  comingStates,
  seatedStates,
} from '#contract/rides/moves.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { movedOn, tooMany } from '../../platform/refusal.ts';
import { roadNetwork, trafficPermilleAt } from '../geo/service.ts';
import {
  orderNotFound,
  type BookingRow,
  rideById,
  bookingsOf,
  stopsOf,
  bookingNotFound,
  bySystem,
  ownBooking,
  settleBooking,
  moveBooking,
  type RideRow,
} from '../orders/service.ts';
import { arrivalsAt } from './rules/arrivals.ts';
import { ridingTogether } from './rules/riding-together.ts';
import { onBooking, staleBooking } from './scene.ts';
import * as store from './store.ts';
import type { PositionRow } from './store.ts';

/** A passenger who waits for the car or sits in it may know where it is. */
const isConcerned = ({ state }: Pick<BookingRow, 'state'>): boolean => dayStates.includes(state);

/**
 * Stores the driver's position as the ride's last one and emits it to those concerned. Refuses
 * `order.notFound`, `order.notUnderWay`, and a second position within 2 seconds.
 */
export async function tellLocation(
  app: App,
  input: { id: string; lon: number; lat: number; headingDegrees: number | null },
  driverId: string,
): Promise<OutputOf<typeof tellCall>> {
  const { clock, realtime } = app;
  const { id: rideId, lon, lat, headingDegrees } = input;
  const row = { rideId, driverId, lon, lat, headingDegrees, at: clock.now() };
  const ride = await app.trips.positions.add(row);
  if (ride === null) throw orderNotFound();
  if (!dayRideStates.includes(ride.state)) throw movedOn('order.notUnderWay', 'This ride isn’t underway.');
  if (!ride.isSaved) throw tooMany(positionPauseMs / 1000);
  const { bookings } = ride;
  const all = expectedArrivals(app, row, {
    ride: { ...ride, departedAt: ride.departedAt === null ? null : new Date(ride.departedAt) },
    stops: ride.stops.map((stop) => ({ ...stop, at: new Date(stop.at) })),
    bookings,
  });
  for (const { id, passengerId } of bookings.filter(isConcerned))
    realtime.tell(
      [passengerId],
      'position',
      viewPosition(row, all, (each) => each === id),
    );
  const position = viewPosition(row, all, () => true);
  realtime.tell([driverId], 'position', position);
  return { position };
}

/**
 * The last position of a ride under way, for its driver and the passengers waiting or on board; null for
 * others who may see the ride. Refuses `order.notFound`.
 */
export async function whereIsCar(
  app: App,
  rideId: string,
  personId: string,
): Promise<OutputOf<typeof whereCall>> {
  const ride = await rideById(app.db, rideId);
  const bookings = ride === null ? [] : await bookingsOf(app.db, { rideIds: [rideId] });
  const own = bookings.filter(({ passengerId }) => passengerId === personId);
  if (ride === null || (ride.driverId !== personId && own.length === 0)) throw orderNotFound();
  const mine = ride.driverId === personId;
  if (endedRideStates.includes(ride.state) || (!mine && !own.some(isConcerned))) return { position: null };
  const saved = await store.positionOf(app.db, rideId);
  if (saved === null) return { position: null };
  const all = expectedArrivals(app, saved, {
    ride,
    stops: await stopsOf(app.db, [rideId]),
    bookings,
  });
  return { position: viewPosition(saved, all, (id) => mine || own.some((booking) => booking.id === id)) };
}

function viewPosition(
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

/**
 * Deletes the positions of rides that have ended, because one may arrive while its ride ends. It also deletes
 * those older than any ride: the scheduler ends every ride before that, even if its driver does not.
 */
export const wipePositions = ({ db, clock }: App) =>
  store.wipePositions(db, later(clock.now(), -keptMs('positions')));

/**
 * A passenger's position, after one side alone has confirmed the meeting: who moves with the car is on board,
 * as if the other side had confirmed. Refuses `booking.notFound`, and `booking.moved` at any other time.
 */
export async function tellRiderLocation(
  app: App,
  { bookingId, lon, lat }: { bookingId: string } & LonLat,
  passengerId: string,
): Promise<{ boarded: boolean }> {
  const { db, clock } = app;
  const { booking, side } = await ownBooking(app, bookingId, passengerId);
  if (side !== 'passenger') throw bookingNotFound();
  if (booking.state !== 'picking') throw staleBooking();
  const here = { lon, lat, at: clock.now() };
  const { rideId } = booking;
  const [car, since] = await Promise.all([store.positionOf(db, rideId), store.firstTogether(db, bookingId)]);
  const outcome = ridingTogether(here, car, since);
  if (outcome === 'begins') await store.saveTogether(db, { bookingId, rideId, passengerId, ...here });
  if (outcome === 'apart') await store.wipeTogether(db, bookingId);
  if (outcome === 'moved') await board(app, bookingId, passengerId);
  return { boarded: outcome === 'moved' };
}

async function board(app: App, bookingId: string, passengerId: string): Promise<void> {
  await onBooking(
    app,
    { bookingId, personId: passengerId, side: 'passenger' },
    async ({ locked }, booking) => {
      // The other side may have confirmed, or one of them taken it back, a moment ago.
      if (booking.state !== 'picking') return;
      const move = { move: 'board', by: bySystem, note: 'together' } as const;
      settleBooking(app, locked, moveBooking(app, locked, booking, move));
      await store.wipeTogether(await locked.db(), bookingId);
    },
  );
}

const boardingMs = 60_000;

type StopRow = Pick<
  Awaited<ReturnType<typeof stopsOf>>[number],
  'position' | 'kind' | 'bookingId' | 'lon' | 'lat' | 'at' | 'toNextMs'
>;

/** A ride under way, with its stops in order and its bookings. */
interface DrivenRide {
  ride: Pick<RideRow, 'departedAt' | 'viaPassed' | 'trafficPermille'>;
  stops: readonly StopRow[];
  bookings: readonly Pick<BookingRow, 'id' | 'state'>[];
}

/** When the car reaches every stop ahead of a position; empty where no road leads there. */
function expectedArrivals(app: App, position: PositionRow, driven: DrivenRide): Arrival[] {
  const { ride, stops } = driven;
  const ahead = stops.filter((stop, index) => {
    const viaBefore = stops.slice(0, index).filter(({ kind }) => kind === 'via').length;
    return isAhead(driven, stop, viaBefore);
  });
  const toFirstMs = ahead.length === 0 ? null : travelMs(app, position, ahead[0]!, position.at);
  if (toFirstMs === null) return [];
  // The plan uses the traffic of the departure, the car drives in the current one.
  const nowPermille = trafficPermilleAt(app, position, position.at);
  const plannedMs = ({ toNextMs }: StopRow) => Math.ceil((toNextMs * nowPermille) / ride.trafficPermille);
  const timed: { stop: StopRow; toNextMs: number }[] = [];
  for (const [index, stop] of ahead.entries()) {
    const next = ahead[index + 1];
    const isNeighbor = next !== undefined && next.position === stop.position + 1;
    const toNextMs =
      next === undefined ? 0 : isNeighbor ? plannedMs(stop) : travelMs(app, stop, next, position.at);
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

/** @param viaBefore the number of the driver's own stops before it. */
function isAhead({ ride, bookings }: DrivenRide, stop: StopRow, viaBefore: number): boolean {
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

/** The drive between two places in the traffic of an instant; null where no road leads. */
function travelMs(app: App, from: LonLat, to: LonLat, at: Date): number | null {
  const network = roadNetwork(app);
  const [start, end] = [network.snap(from), network.snap(to)];
  const free = start === null || end === null ? null : network.travel(start, end);
  return free === null ? null : inTraffic(free.milliseconds, trafficPermilleAt(app, from, at));
}
