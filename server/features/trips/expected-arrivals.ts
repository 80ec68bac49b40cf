import type { Arrival } from '#contract/trips/endpoints.ts';
import { comingStates, seatedStates } from '#contract/rides/moves.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import { inTraffic } from '#roads/graph/traffic.ts';
import type { App } from '../../app-type.ts';
import { roadNetwork, trafficPermilleAt } from '../geo/service.ts';
import type { BookingRow, RideRow, stopsOf } from '../orders/service.ts';
import { arrivalsAt } from './rules/arrivals.ts';
import type { PositionRow } from './store.ts';

const boardingMs = 60_000;

type StopRow = Pick<
  Awaited<ReturnType<typeof stopsOf>>[number],
  'position' | 'kind' | 'bookingId' | 'lon' | 'lat' | 'at' | 'toNextMs'
>;

/** A ride under way, with its stops in order and its bookings. */
export interface DrivenRide {
  ride: Pick<RideRow, 'departedAt' | 'viaPassed' | 'trafficPermille'>;
  stops: readonly StopRow[];
  bookings: readonly Pick<BookingRow, 'id' | 'state'>[];
}

/** When the car reaches every stop ahead of a position; empty where no road leads there. */
export function expectedArrivals(app: App, position: PositionRow, driven: DrivenRide): Arrival[] {
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
