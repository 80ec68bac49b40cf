import type { Travel } from '#roads/graph/network.ts';
import { freePermille, inTraffic } from '#roads/graph/traffic.ts';
import { boardingMs, driveInTraffic, offsetsOf, type Plan, type PlanStop } from './plan.ts';
import { spotsWithin, type Spot, type Wish } from './wish.ts';

/**
 * Free drives between the stops of a plan and the meeting points of a request, by position in both lists:
 * milliseconds, Infinity where no road leads. Callers apply the plan's traffic.
 */
export interface Drives {
  toPickup(stop: number, spot: number): number;
  fromPickup(spot: number, stop: number): number;
  toDropoff(stop: number, spot: number): number;
  fromDropoff(spot: number, stop: number): number;
  /** From a pick-up to a drop-off without a stop between. */
  direct(pickup: number, dropoff: number): number;
}

/** The drives in the traffic of a plan. */
export function drivesInTraffic(free: Drives, permille: number): Drives {
  if (permille === freePermille) return free;
  return {
    toPickup: (stop, spot) => inTraffic(free.toPickup(stop, spot), permille),
    fromPickup: (spot, stop) => inTraffic(free.fromPickup(spot, stop), permille),
    toDropoff: (stop, spot) => inTraffic(free.toDropoff(stop, spot), permille),
    fromDropoff: (spot, stop) => inTraffic(free.fromDropoff(spot, stop), permille),
    direct: (pickup, dropoff) => inTraffic(free.direct(pickup, dropoff), permille),
  };
}

/** Where a pick-up and a drop-off go in a plan, and when the car is there. */
export interface Choice {
  /** The pick-up comes after this stop of the present plan, the drop-off after that one. */
  pickupAfter: number;
  dropoffAfter: number;
  /** Positions in the request's meeting points. */
  pickupSpot: number;
  dropoffSpot: number;
  departsMs: number;
  pickupMs: number;
  dropoffMs: number;
  arrivesMs: number;
  /** The booking's addition to the present plan. */
  detourMs: number;
}

/** A choice with its drives, in traffic. */
export interface Insertion extends Choice {
  pickup: Spot;
  dropoff: Spot;
  detourMetres: number;
  drives: { toPickup: Travel; afterPickup: Travel; toDropoff: Travel; afterDropoff: Travel };
}

/**
 * The weight of a millisecond on foot against one of driving, when meeting points are compared: a passenger
 * walks where every minute of it saves the driver at least half a minute.
 */
export const walkShare = 0.5;

/**
 * The best insertion of a passenger into a ride, or null: every position of the pick-up and of the drop-off,
 * and every meeting point within the passenger's walk, is tried. A position fits when each leg between has
 * the seats, one departure within the driver's limits keeps all windows, and the driver's extra minutes over
 * driving alone, all passengers counted, stay within the ride's maximum detour. Best is the least of the
 * driver's time plus half the passenger's walk, then the least driving, then the earliest positions and
 * meeting points.
 */
export function bestInsertion(plan: Plan, wish: Wish, free: Drives): Choice | null {
  const { stops } = plan;
  const drives = drivesInTraffic(free, plan.trafficPermille);
  const offsets = offsetsOf(stops);
  const last = stops.length - 1;
  const durationMs = offsets[last] ?? 0;
  const search: Search = {
    plan,
    wish,
    drives,
    offsets,
    range: windowRanges(stops, offsets),
    last,
    durationMs,
    mostDetourMs: plan.maxDetourMs + plan.aloneMs - durationMs,
    dropoffs: spotsWithin(wish.dropoffs, wish.walkMetres),
    pickupAfter: 0,
    pickupSpot: 0,
    pickupOffsetMs: 0,
    lateMs: 0,
    best: null,
    bestCost: Infinity,
  };
  const pickups = spotsWithin(wish.pickups, wish.walkMetres);
  for (let a = 0; a < last; a++) {
    const stop = stops[a]!;
    if (stop.seatsTaken + wish.seats > plan.seats) continue;
    search.pickupAfter = a;
    for (let p = 0; p < pickups; p++) {
      search.pickupSpot = p;
      search.pickupOffsetMs = offsets[a]! + stop.standsMs + drives.toPickup(a, p);
      if (search.pickupOffsetMs !== Infinity) tryDropoffs(search);
    }
  }
  return search.best;
}

/**
 * One search for the best insertion: the common measures, the current pick-up, and the best so far. One
 * object per search, so that trying a position allocates nothing.
 */
interface Search {
  readonly plan: Plan;
  readonly wish: Wish;
  /** In traffic. */
  readonly drives: Drives;
  readonly offsets: readonly number[];
  readonly range: ReturnType<typeof windowRanges>;
  /** The position of the last stop. */
  readonly last: number;
  readonly durationMs: number;
  readonly mostDetourMs: number;
  /** How many drop-off points are within the passenger's walk. */
  readonly dropoffs: number;
  pickupAfter: number;
  pickupSpot: number;
  /** From departure to pick-up. */
  pickupOffsetMs: number;
  /** By how much stops after the pick-up are reached later than planned. */
  lateMs: number;
  best: Choice | null;
  bestCost: number;
}

/** Tries every drop-off after the current pick-up. */
function tryDropoffs(search: Search): void {
  const { plan, wish, drives, offsets, last, dropoffs, pickupAfter: a, pickupSpot: p } = search;
  const onward = search.pickupOffsetMs + boardingMs;
  for (let d = 0; d < dropoffs; d++) tryPosition(search, a, d, onward + drives.direct(p, d));
  const lateMs = onward + drives.fromPickup(p, a + 1) - offsets[a + 1]!;
  if (lateMs === Infinity) return;
  search.lateMs = lateMs;
  for (let b = a + 1; b < last; b++) {
    const stop = plan.stops[b]!;
    if (stop.seatsTaken + wish.seats > plan.seats) break;
    const leaves = offsets[b]! + lateMs + stop.standsMs;
    for (let d = 0; d < dropoffs; d++) tryPosition(search, b, d, leaves + drives.toDropoff(b, d));
  }
}

/** Notes a drop-off after stop `b` at point `d` where it fits and is better than the best so far. */
function tryPosition(search: Search, b: number, d: number, dropoffOffsetMs: number): void {
  const { plan, wish, offsets, range, pickupAfter: a, pickupSpot: p, pickupOffsetMs } = search;
  const detourMs = dropoffOffsetMs + boardingMs + search.drives.fromDropoff(d, b + 1) - offsets[b + 1]!;
  // Also where no road leads: Infinity.
  if (!(detourMs <= search.mostDetourMs)) return;
  const { walkMs } = wish.pickups[p]!;
  const walkAfterMs = wish.dropoffs[d]!.walkMs;
  const cost = detourMs + walkShare * (walkMs + walkAfterMs);
  if (cost > search.bestCost || (cost === search.bestCost && detourMs >= search.best!.detourMs)) return;
  const before = range(0, a, 0);
  const between = a === b ? everything : range(a + 1, b, search.lateMs);
  const after = range(b + 1, search.last, detourMs);
  const from = Math.max(
    plan.earliestDepartsMs,
    before[0],
    between[0],
    after[0],
    wish.earliestMs + walkMs - pickupOffsetMs,
  );
  const to = Math.min(
    plan.latestDepartsMs,
    before[1],
    between[1],
    after[1],
    wish.latestMs - pickupOffsetMs,
    wish.arriveByMs - walkAfterMs - dropoffOffsetMs,
  );
  if (from > to) return;
  // The agreed departure stays where possible.
  const departsMs = Math.min(Math.max(plan.departsMs, from), to);
  search.bestCost = cost;
  search.best = {
    pickupAfter: a,
    dropoffAfter: b,
    pickupSpot: p,
    dropoffSpot: d,
    departsMs,
    pickupMs: departsMs + pickupOffsetMs,
    dropoffMs: departsMs + dropoffOffsetMs,
    arrivesMs: departsMs + search.durationMs + detourMs,
    detourMs,
  };
}

/**
 * A choice with its meeting points and meters.
 * @param travel the free drive between two places of the choice.
 */
export function measured(
  plan: Plan,
  wish: Wish,
  choice: Choice,
  travel: (from: { lon: number; lat: number }, to: { lon: number; lat: number }) => Travel,
): Insertion {
  const drive: typeof travel = (from, to) => driveInTraffic(travel(from, to), plan.trafficPermille);
  const { pickupAfter, dropoffAfter } = choice;
  const pickup = wish.pickups[choice.pickupSpot]!;
  const dropoff = wish.dropoffs[choice.dropoffSpot]!;
  const stop = (position: number) => plan.stops[position]!;
  const sameLeg = pickupAfter === dropoffAfter;
  const direct = sameLeg ? drive(pickup, dropoff) : null;
  const drives = {
    toPickup: drive(stop(pickupAfter), pickup),
    afterPickup: direct ?? drive(pickup, stop(pickupAfter + 1)),
    toDropoff: direct ?? drive(stop(dropoffAfter), dropoff),
    afterDropoff: drive(dropoff, stop(dropoffAfter + 1)),
  };
  const driven = sameLeg
    ? drives.toPickup.metres + drives.toDropoff.metres + drives.afterDropoff.metres
    : drives.toPickup.metres +
      drives.afterPickup.metres +
      drives.toDropoff.metres +
      drives.afterDropoff.metres;
  const instead = stop(pickupAfter).toNextMetres + (sameLeg ? 0 : stop(dropoffAfter).toNextMetres);
  return { ...choice, pickup, dropoff, drives, detourMetres: driven - instead };
}

/** The plan with the booking in it. */
export function withBooking(plan: Plan, wish: Wish, insertion: Insertion, bookingId: string): Plan {
  const { pickupAfter, dropoffAfter, pickup, dropoff, drives } = insertion;
  const stand = { bookingId, standsMs: boardingMs };
  const leg = (travel: Travel) => ({ toNextMs: travel.milliseconds, toNextMetres: travel.metres });
  const stops: PlanStop[] = [];
  for (const [position, stop] of plan.stops.entries()) {
    const carries = position > pickupAfter && position <= dropoffAfter;
    const seatsTaken = stop.seatsTaken + (carries ? wish.seats : 0);
    const isBeforePickup = position === pickupAfter;
    const isBeforeDropoff = position === dropoffAfter && !isBeforePickup;
    stops.push({
      ...stop,
      seatsTaken,
      ...(isBeforePickup ? leg(drives.toPickup) : isBeforeDropoff ? leg(drives.toDropoff) : {}),
    });
    if (isBeforePickup) {
      stops.push({
        ...stand,
        kind: 'pickup',
        lon: pickup.lon,
        lat: pickup.lat,
        seatsTaken: stop.seatsTaken + wish.seats,
        earliestMs: wish.earliestMs + pickup.walkMs,
        latestMs: wish.latestMs,
        ...leg(drives.afterPickup),
      });
    }
    if (position === dropoffAfter) {
      stops.push({
        ...stand,
        kind: 'dropoff',
        lon: dropoff.lon,
        lat: dropoff.lat,
        seatsTaken: stop.seatsTaken,
        earliestMs: -Infinity,
        latestMs: wish.arriveByMs - dropoff.walkMs,
        ...leg(drives.afterDropoff),
      });
    }
  }
  return { ...plan, stops, departsMs: insertion.departsMs };
}

export type Range = readonly [from: number, to: number];
const everything: Range = [-Infinity, Infinity];

/**
 * The departures at which the stops `first` to `last` keep their windows if they are reached `lateMs` later
 * than planned.
 */
export function windowRanges(stops: readonly PlanStop[], offsets: readonly number[]) {
  const minds = stops.some((stop) => stop.earliestMs !== -Infinity || stop.latestMs !== Infinity);
  return (first: number, last: number, lateMs: number): Range => {
    if (!minds) return everything;
    let from = -Infinity;
    let to = Infinity;
    for (let position = first; position <= last; position++) {
      const stop = stops[position]!;
      from = Math.max(from, stop.earliestMs - offsets[position]! - lateMs);
      to = Math.min(to, stop.latestMs - offsets[position]! - lateMs);
    }
    return [from, to];
  };
}
