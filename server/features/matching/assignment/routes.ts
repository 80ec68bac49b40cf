import { inTraffic } from '#roads/graph/traffic.ts';
import { bestInsertion, walkShare, windowRanges, type Choice } from '../rules/insertion.ts';
import { boardingMs, offsetsOf, type Plan, type PlanStop } from '../rules/plan.ts';
import type { Wish } from '../rules/wish.ts';

/** Free drives between the points of a problem, by number: milliseconds, Infinity where no road leads. */
export type Between = (from: number, to: number) => number;

/** A request with its meeting points as points. */
export interface PlacedWish {
  /** Its position in the problem. */
  number: number;
  wish: Wish;
  pickups: readonly number[];
  dropoffs: readonly number[];
}

/** A stop with its point and origin: a stop of the original ride, or of an inserted request. */
interface RouteStop extends PlanStop {
  point: number;
  /** Its position in the original ride, -1 for an inserted stop. */
  base: number;
  /** The request it serves, -1 for an original stop. */
  wish: number;
  /** In the original ride: the drive to the next stop, and the seats taken on it. */
  baseToNextMs: number;
  baseSeats: number;
  walkMs: number;
}

/** One ride's route with the requests inserted so far. Immutable: each change creates another. */
export interface Route {
  plan: Omit<Plan, 'stops'> & { stops: readonly RouteStop[] };
  /** The inserted requests. */
  aboard: readonly number[];
  /** All driving and boarding time, and half the walk of the inserted requests: what matching minimizes. */
  costMs: number;
}

/** The route of an original ride. @param points of its stops. */
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
 * The best insertion of a request into a route by the rules of matching, and its cost; null where it does not
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

/** The route with a request inserted where `placeIn` found. */
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
      // Until `link`: the seats that get in here (positive) or out (negative).
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
 * The route without some inserted requests. Null where it cannot be driven: the car never waits on its way,
 * and a passenger may have been met in time only because of a removed stop before.
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

/** When the route serves each of its requests. */
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
