import { inTraffic } from '#roads/graph/traffic.ts';
import { bestInsertion, walkShare, windowRanges, type Choice } from '../rules/insertion.ts';
import { boardingMs, offsetsOf, type Plan, type PlanStop } from '../rules/plan.ts';
import type { Wish } from '../rules/wish.ts';

/** Free drives between the points of a problem, by number: milliseconds, Infinity where no road leads. */
export type Between = (from: number, to: number) => number;

/** A wish whose spots are points. */
export interface PlacedWish {
  /** Its position in the problem. */
  number: number;
  wish: Wish;
  pickups: readonly number[];
  dropoffs: readonly number[];
}

/**
 * A stop that knows its point, and where it comes from: a stop of the ride as it stood, or a wish put in
 * since.
 */
interface RouteStop extends PlanStop {
  point: number;
  /** Position in the ride as it stood, -1 for a stop put in. */
  base: number;
  /** The wish it serves, -1 for a stop that stood there before. */
  wish: number;
  /** As the ride stood: the drive to its next stop, and seats taken on it. */
  baseToNextMs: number;
  baseSeats: number;
  walkMs: number;
}

/** One ride's route with the wishes put into it so far. It is never changed: each change makes another. */
export interface Route {
  plan: Omit<Plan, 'stops'> & { stops: readonly RouteStop[] };
  /** The wishes put in. */
  aboard: readonly number[];
  /** All driving and standing, and half the walk of those put in: what matching makes the least of. */
  costMs: number;
}

/** A ride as it stands. @param points of its stops. */
export function routeOf(plan: Plan, points: readonly number[]): Route {
  const stops = plan.stops.map((stop, base): RouteStop => ({
    ...stop,
    point: points[base]!,
    base,
    wish: -1,
    baseToNextMs: stop.toNextMs,
    baseSeats: stop.seatsTaken,
    walkMs: 0,
  }));
  return { plan: { ...plan, stops }, aboard: [], costMs: costOf(stops) };
}

/**
 * The best place for a wish in a route by the rules of matching, and what it costs; null where it does not
 * fit.
 */
export function placeIn(
  { plan }: Route,
  { wish, pickups, dropoffs }: PlacedWish,
  between: Between,
): { choice: Choice; costMs: number } | null {
  const { stops } = plan;
  const choice = bestInsertion(plan, wish, {
    toPickup: (stop, spot) => between(stops[stop]!.point, pickups[spot]!),
    fromPickup: (spot, stop) => between(pickups[spot]!, stops[stop]!.point),
    toDropoff: (stop, spot) => between(stops[stop]!.point, dropoffs[spot]!),
    fromDropoff: (spot, stop) => between(dropoffs[spot]!, stops[stop]!.point),
    direct: (pickup, dropoff) => between(pickups[pickup]!, dropoffs[dropoff]!),
  });
  if (choice === null) return null;
  const walkMs = wish.pickups[choice.pickupSpot]!.walkMs + wish.dropoffs[choice.dropoffSpot]!.walkMs;
  return { choice, costMs: choice.detourMs + walkShare * walkMs };
}

/** The route with a wish in it, where `placeIn` found. */
export function withWish(
  route: Route,
  { number, wish, pickups, dropoffs }: PlacedWish,
  choice: Choice,
  between: Between,
): Route {
  const stop = (kind: 'pickup' | 'dropoff'): RouteStop => {
    const isPickup = kind === 'pickup';
    const spot = isPickup ? choice.pickupSpot : choice.dropoffSpot;
    const { lon, lat, walkMs } = (isPickup ? wish.pickups : wish.dropoffs)[spot]!;
    return {
      kind,
      bookingId: null,
      lon,
      lat,
      standsMs: boardingMs,
      toNextMs: 0,
      toNextMetres: 0,
      // Until the stops are linked: what gets in here, and out.
      seatsTaken: isPickup ? wish.seats : -wish.seats,
      earliestMs: isPickup ? wish.earliestMs + walkMs : -Infinity,
      latestMs: isPickup ? wish.latestMs : wish.arriveByMs - walkMs,
      point: (isPickup ? pickups : dropoffs)[spot]!,
      base: -1,
      wish: number,
      baseToNextMs: 0,
      baseSeats: isPickup ? wish.seats : -wish.seats,
      walkMs,
    };
  };
  const stops: RouteStop[] = [];
  for (const [position, each] of route.plan.stops.entries()) {
    stops.push(each);
    if (position === choice.pickupAfter) stops.push(stop('pickup'));
    if (position === choice.dropoffAfter) stops.push(stop('dropoff'));
  }
  const linked = link(stops, route.plan.trafficPermille, between);
  return {
    plan: { ...route.plan, stops: linked, departsMs: choice.departsMs },
    aboard: [...route.aboard, number],
    costMs: costOf(linked),
  };
}

/**
 * The route without some of those put in. Null where it cannot be driven so: the car never waits on its way,
 * and somebody may have been met in time only because of a stop before.
 */
export function without(route: Route, gone: ReadonlySet<number>, between: Between): Route | null {
  const { plan } = route;
  const stops = link(
    plan.stops.filter(({ wish }) => wish < 0 || !gone.has(wish)),
    plan.trafficPermille,
    between,
  );
  const costMs = costOf(stops);
  if (costMs === Infinity) return null;
  const [from, to] = windowRanges(stops, offsetsOf(stops))(0, stops.length - 1, 0);
  const [earliest, latest] = [Math.max(from, plan.earliestDepartsMs), Math.min(to, plan.latestDepartsMs)];
  if (earliest > latest) return null;
  return {
    plan: { ...plan, stops, departsMs: Math.min(Math.max(plan.departsMs, earliest), latest) },
    aboard: route.aboard.filter((wish) => !gone.has(wish)),
    costMs,
  };
}

/** The stops with the drives between neighbors and the seats taken on them. */
function link(stops: readonly RouteStop[], trafficPermille: number, between: Between): RouteStop[] {
  let standing = 0;
  let putIn = 0;
  return stops.map((stop, position) => {
    if (stop.wish < 0) standing = stop.baseSeats;
    else putIn += stop.baseSeats;
    const next = stops[position + 1];
    const toNextMs =
      next === undefined
        ? 0
        : stop.base >= 0 && next.base === stop.base + 1
          ? stop.baseToNextMs
          : inTraffic(between(stop.point, next.point), trafficPermille);
    return { ...stop, toNextMs, seatsTaken: standing + putIn };
  });
}

function costOf(stops: readonly RouteStop[]): number {
  let costMs = 0;
  for (const { standsMs, toNextMs, walkMs } of stops) costMs += standsMs + toNextMs + walkShare * walkMs;
  return costMs;
}

/** When the car is where for whom, by the route as it stands. */
export function timesOf({ plan }: Route): Map<number, { pickupMs: number; dropoffMs: number }> {
  const offsets = offsetsOf(plan.stops);
  const times = new Map<number, { pickupMs: number; dropoffMs: number }>();
  for (const [position, { wish, kind }] of plan.stops.entries()) {
    if (wish < 0) continue;
    const at = plan.departsMs + offsets[position]!;
    const known = times.get(wish) ?? { pickupMs: 0, dropoffMs: 0 };
    times.set(wish, kind === 'pickup' ? { ...known, pickupMs: at } : { ...known, dropoffMs: at });
  }
  return times;
}
