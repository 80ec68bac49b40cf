import type { RoadNetwork, RoadPoint, Travel } from '#roads/network.ts';

/** A stop of a route to be tried: where, how long the car stands, and when it must be there. */
interface TriedStop {
  point: RoadPoint;
  standsMs: number;
  earliestMs: number;
  latestMs: number;
  /** Seats that get in (positive) or out (negative) here. */
  seatsChange: number;
}

export interface BruteRide {
  stops: readonly TriedStop[];
  seats: number;
  earliestDepartsMs: number;
  latestDepartsMs: number;
  aloneMs: number;
  maxDetourMs: number;
}

export interface BruteWish {
  pickup: RoadPoint;
  dropoff: RoadPoint;
  seats: number;
  earliestMs: number;
  latestMs: number;
  arriveByMs: number;
}

const boardingMs = 60_000;

/**
 * Whether a ride can take a passenger, and the least extra time, by trying: every pair of positions is written out as a
 * whole new route, driven leg by leg on times asked one pair at a time, and checked minute by minute against the rules.
 * It shares no code with the matcher and cuts no corner.
 * @returns the least extra milliseconds over the route as it stands, or null when nothing fits.
 */
export function tryEverything(
  network: RoadNetwork,
  ride: BruteRide,
  wish: BruteWish,
  travel = network.travel.bind(network),
): number | null {
  const before = drive(ride.stops, travel);
  if (before === null) return null;
  let least: number | null = null;
  for (let a = 1; a < ride.stops.length; a++) {
    for (let b = a; b < ride.stops.length; b++) {
      const pickup: TriedStop = {
        point: wish.pickup,
        standsMs: boardingMs,
        earliestMs: wish.earliestMs,
        latestMs: wish.latestMs,
        seatsChange: wish.seats,
      };
      const dropoff: TriedStop = {
        point: wish.dropoff,
        standsMs: boardingMs,
        earliestMs: -Infinity,
        latestMs: wish.arriveByMs,
        seatsChange: -wish.seats,
      };
      const route = [
        ...ride.stops.slice(0, a),
        pickup,
        ...ride.stops.slice(a, b),
        dropoff,
        ...ride.stops.slice(b),
      ];
      if (!seatsSuffice(route, ride.seats)) continue;
      const arrivals = drive(route, travel);
      if (arrivals === null) continue;
      const total = arrivals.at(-1)!;
      if (total - ride.aloneMs > ride.maxDetourMs) continue;
      if (!somebodyCanLeave(ride, route, arrivals)) continue;
      const extra = total - before.at(-1)!;
      if (least === null || extra < least) least = extra;
    }
  }
  return least;
}

function drive(
  route: readonly TriedStop[],
  travel: (from: RoadPoint, to: RoadPoint) => Travel | null,
): number[] | null {
  const arrivals = [0];
  for (let index = 1; index < route.length; index++) {
    const leg = travel(route[index - 1]!.point, route[index]!.point);
    if (leg === null) return null;
    arrivals.push(arrivals[index - 1]! + route[index - 1]!.standsMs + leg.milliseconds);
  }
  return arrivals;
}

function seatsSuffice(route: readonly TriedStop[], seats: number): boolean {
  let taken = 0;
  return route.every((stop) => (taken += stop.seatsChange) <= seats);
}

/** Windows are intervals, so a departure that suits everybody exists if one of their edges does. */
function somebodyCanLeave(
  ride: BruteRide,
  route: readonly TriedStop[],
  arrivals: readonly number[],
): boolean {
  const edges = [
    ride.earliestDepartsMs,
    ...route.map((stop, index) => stop.earliestMs - arrivals[index]!),
  ].filter(Number.isFinite);
  return edges.some(
    (departs) =>
      departs >= ride.earliestDepartsMs &&
      departs <= ride.latestDepartsMs &&
      route.every(
        (stop, index) =>
          departs + arrivals[index]! >= stop.earliestMs && departs + arrivals[index]! <= stop.latestMs,
      ),
  );
}
