import { walkShare, type Choice } from './insertion.ts';
import { boardingMs, type Plan } from './plan.ts';
import { spotsWithin, type Spot, type Wish } from './wish.ts';

/**
 * `bestInsertion` over flat arrays, for searches that judge thousands of rides for one request: the same
 * answer. All times are whole milliseconds in the ride's traffic, and anything above a week where no road
 * leads.
 */

/** The part of a request that an insertion needs. */
export interface FlatWish {
  seats: number;
  earliestMs: number;
  latestMs: number;
  arriveByMs: number;
  /** The walks to the pick-ups and from the drop-offs within the passenger's limit, the door first. */
  walkMs: Float64Array;
  walkAfterMs: Float64Array;
}

export function flatWish({ seats, earliestMs, latestMs, arriveByMs, ...wish }: Wish): FlatWish {
  const walks = (spots: readonly Spot[]) =>
    Float64Array.from(spots.slice(0, spotsWithin(spots, wish.walkMetres)), ({ walkMs }) => walkMs);
  return {
    seats,
    earliestMs,
    latestMs,
    arriveByMs,
    walkMs: walks(wish.pickups),
    walkAfterMs: walks(wish.dropoffs),
  };
}

/** A ride without its stops. */
export type FlatRide = Omit<Plan, 'stops' | 'trafficPermille' | 'preferences'>;

/** The drives of a driver without passengers. */
export interface TimesAlone {
  /** From the start to each pick-up, and from each drop-off to the end. */
  toPickups: Int32Array;
  fromDropoffs: Int32Array;
  /** From pick-ups to drop-offs, row by row, and the least of them. */
  directs: Int32Array;
  leastDirectMs: number;
}

/** The best insertion for a driver without passengers, where there is one position only. */
export function bestAlone(
  ride: FlatRide,
  wish: FlatWish,
  { toPickups, directs, fromDropoffs, leastDirectMs }: TimesAlone,
): Choice | null {
  if (wish.seats > ride.seats) return null;
  const { walkMs, walkAfterMs, earliestMs, latestMs, arriveByMs } = wish;
  const { departsMs, earliestDepartsMs, latestDepartsMs, aloneMs } = ride;
  const dropoffs = walkAfterMs.length;
  const mostMs = ride.maxDetourMs + aloneMs - 2 * boardingMs;
  let bestCost = Infinity;
  let bestDriven = 0;
  let best = -1;
  let bestDepartsMs = 0;
  let leastOnward = Infinity;
  for (let d = 0; d < dropoffs; d++) leastOnward = Math.min(leastOnward, leastDirectMs + fromDropoffs[d]!);
  for (let p = 0; p < walkMs.length; p++) {
    const to = toPickups[p]!;
    const walk = walkMs[p]!;
    const from = Math.max(earliestDepartsMs, earliestMs + walk - to);
    const latest = Math.min(latestDepartsMs, latestMs - to);
    if (from > latest || to + leastOnward > mostMs || to + leastOnward + walkShare * walk > bestCost)
      continue;
    for (let d = 0; d < dropoffs; d++) {
      const drive = directs[p * dropoffs + d]!;
      const driven = to + drive + fromDropoffs[d]!;
      if (driven > mostMs) continue;
      // The other parts of a detour are the same for all meeting points.
      const cost = driven + walkShare * (walk + walkAfterMs[d]!);
      if (cost > bestCost || (cost === bestCost && driven >= bestDriven)) continue;
      const until = Math.min(latest, arriveByMs - walkAfterMs[d]! - (to + boardingMs + drive));
      if (from > until) continue;
      bestCost = cost;
      bestDriven = driven;
      best = p * dropoffs + d;
      bestDepartsMs = Math.min(Math.max(departsMs, from), until);
    }
  }
  if (best < 0) return null;
  const pickupSpot = Math.floor(best / dropoffs);
  const pickupMs = bestDepartsMs + toPickups[pickupSpot]!;
  const detourMs = bestDriven + 2 * boardingMs - aloneMs;
  return {
    pickupAfter: 0,
    dropoffAfter: 0,
    pickupSpot,
    dropoffSpot: best % dropoffs,
    departsMs: bestDepartsMs,
    pickupMs,
    dropoffMs: pickupMs + boardingMs + directs[best]!,
    arrivesMs: bestDepartsMs + aloneMs + detourMs,
    detourMs,
  };
}

/** Whether there is an insertion for a driver without passengers. */
export function fitsAlone(
  ride: FlatRide,
  wish: FlatWish,
  { toPickups, directs, fromDropoffs }: TimesAlone,
): boolean {
  const { length: dropoffs } = fromDropoffs;
  for (let p = 0; p < toPickups.length; p++) {
    for (let d = 0; d < dropoffs; d++) {
      const [to, direct, from] = [toPickups[p]!, directs[p * dropoffs + d]!, fromDropoffs[d]!];
      if (fitsAt(ride, wish, { pickupSpot: p, dropoffSpot: d, to, direct, from })) return true;
    }
  }
  return false;
}

/**
 * Whether a driver without passengers can pick up and drop off at two meeting points, by the drives over
 * them.
 */
export function fitsAt(
  ride: FlatRide,
  wish: FlatWish,
  at: { pickupSpot: number; dropoffSpot: number; to: number; direct: number; from: number },
): boolean {
  const { to, direct, from } = at;
  if (to + direct + from > ride.maxDetourMs + ride.aloneMs - 2 * boardingMs) return false;
  const departsMs = Math.max(ride.earliestDepartsMs, wish.earliestMs + wish.walkMs[at.pickupSpot]! - to);
  return (
    wish.seats <= ride.seats &&
    departsMs <= ride.latestDepartsMs &&
    departsMs <= wish.latestMs - to &&
    departsMs <= wish.arriveByMs - wish.walkAfterMs[at.dropoffSpot]! - (to + boardingMs + direct)
  );
}
