import type { RoadPoint, Travel } from '#roads/graph/network.ts';

/** A stop of a route to be tried: where, how long the car waits, and when it must be there. */
interface TriedStop<Point> {
  point: Point;
  standsMs: number;
  earliestMs: number;
  latestMs: number;
  /** Seats that get in (positive) or out (negative) here. */
  seatsChange: number;
}

export interface BruteRide<Point = RoadPoint> {
  stops: readonly TriedStop<Point>[];
  seats: number;
  earliestDepartsMs: number;
  latestDepartsMs: number;
  /** The duration of every drive, in permille of the one that is asked for. */
  trafficPermille: number;
  aloneMs: number;
  maxDetourMs: number;
}

/** A place to get in or out, and the walk between it and the passenger's own. */
export interface BruteSpot<Point = RoadPoint> {
  point: Point;
  walkMs: number;
}

export interface BruteWish<Point = RoadPoint> {
  pickups: readonly BruteSpot<Point>[];
  dropoffs: readonly BruteSpot<Point>[];
  seats: number;
  earliestMs: number;
  latestMs: number;
  arriveByMs: number;
  /** No one leaves, by car or on foot, before it; where it is missing, at any time. */
  nowMs?: number;
}

const boardingMs = 60_000;

/**
 * Whether a ride can take a passenger, and the extra time of the best way to do it, by trying: every pair of
 * meeting points and of positions is written out as a whole new route, driven leg by leg on times asked one
 * pair at a time, and checked against the rules. The best is the least of extra time plus half the walk, then
 * the least extra time. It shares no code with the matcher and cuts no corner.
 * @param travel the free drive.
 * @returns the extra milliseconds over the current route, or null when nothing fits.
 */
export function tryEverything<Point>(
  ride: BruteRide<Point>,
  wish: BruteWish<Point>,
  travel: (from: Point, to: Point) => Travel | null,
): number | null {
  const nowMs = wish.nowMs ?? -Infinity;
  // No passenger is met before the car has left, or after it has come home with its whole detour.
  if (ride.earliestDepartsMs > wish.latestMs) return null;
  if (ride.latestDepartsMs + ride.aloneMs + ride.maxDetourMs < wish.earliestMs) return null;
  const slowed = (from: Point, to: Point): Travel | null => {
    const free = travel(from, to);
    if (free === null) return null;
    const milliseconds = Math.ceil((free.milliseconds * ride.trafficPermille) / 1000);
    return { ...free, milliseconds };
  };
  const before = drive(ride.stops, slowed);
  if (before === null) return null;
  let best: { cost: number; extra: number } | null = null;
  for (const pickup of wish.pickups) {
    for (const dropoff of wish.dropoffs) {
      for (const route of routesWith(ride.stops, getIn(wish, pickup), getOut(wish, dropoff))) {
        const total = drivenMs(ride, route, slowed, nowMs);
        if (total === null) continue;
        const extra = total - before.at(-1)!;
        const cost = extra + (pickup.walkMs + dropoff.walkMs) / 2;
        if (best === null || cost < best.cost || (cost === best.cost && extra < best.extra))
          best = { cost, extra };
      }
    }
  }
  return best?.extra ?? null;
}

const getIn = <Point>(wish: BruteWish<Point>, { point, walkMs }: BruteSpot<Point>): TriedStop<Point> => ({
  point,
  standsMs: boardingMs,
  earliestMs: Math.max(wish.earliestMs, wish.nowMs ?? -Infinity) + walkMs,
  latestMs: wish.latestMs,
  seatsChange: wish.seats,
});

const getOut = <Point>(wish: BruteWish<Point>, { point, walkMs }: BruteSpot<Point>): TriedStop<Point> => ({
  point,
  standsMs: boardingMs,
  earliestMs: -Infinity,
  latestMs: wish.arriveByMs - walkMs,
  seatsChange: -wish.seats,
});

/** Every route with a stop to get in and a later one to get out, neither first nor last. */
function* routesWith<Point>(
  stops: readonly TriedStop<Point>[],
  pickup: TriedStop<Point>,
  dropoff: TriedStop<Point>,
): Generator<TriedStop<Point>[]> {
  for (let a = 1; a < stops.length; a++)
    for (let b = a; b < stops.length; b++)
      yield [...stops.slice(0, a), pickup, ...stops.slice(a, b), dropoff, ...stops.slice(b)];
}

/** How long a route takes, null where it breaks a rule of the ride. */
function drivenMs<Point>(
  ride: BruteRide<Point>,
  route: readonly TriedStop<Point>[],
  travel: (from: Point, to: Point) => Travel | null,
  nowMs: number,
): number | null {
  if (!seatsSuffice(route, ride.seats)) return null;
  const arrivals = drive(route, travel);
  if (arrivals === null) return null;
  const total = arrivals.at(-1)!;
  if (total - ride.aloneMs > ride.maxDetourMs) return null;
  return hasDeparture(ride, route, arrivals, nowMs) ? total : null;
}

function drive<Point>(
  route: readonly TriedStop<Point>[],
  travel: (from: Point, to: Point) => Travel | null,
): number[] | null {
  const arrivals = [0];
  for (let index = 1; index < route.length; index++) {
    const leg = travel(route[index - 1]!.point, route[index]!.point);
    if (leg === null) return null;
    arrivals.push(arrivals[index - 1]! + route[index - 1]!.standsMs + leg.milliseconds);
  }
  return arrivals;
}

function seatsSuffice(route: readonly TriedStop<unknown>[], seats: number): boolean {
  let taken = 0;
  return route.every((stop) => (taken += stop.seatsChange) <= seats);
}

/** Windows are intervals, so a departure that suits all exists if one of their edges does. */
function hasDeparture(
  ride: BruteRide<unknown>,
  route: readonly TriedStop<unknown>[],
  arrivals: readonly number[],
  nowMs: number,
): boolean {
  const edges = [
    nowMs,
    ride.earliestDepartsMs,
    ...route.map((stop, index) => stop.earliestMs - arrivals[index]!),
  ].filter(Number.isFinite);
  return edges.some(
    (departs) =>
      departs >= ride.earliestDepartsMs &&
      departs >= nowMs &&
      departs <= ride.latestDepartsMs &&
      route.every(
        (stop, index) =>
          departs + arrivals[index]! >= stop.earliestMs && departs + arrivals[index]! <= stop.latestMs,
      ),
  );
}
