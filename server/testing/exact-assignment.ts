import type { Problem } from '../features/matching/assignment/problem.ts';

const boardingMs = 60_000;

interface At {
  lon: number;
  lat: number;
}

type TravelMs = (from: At, to: At) => number;

/**
 * The best there is for a few rides and requests, by trying every order of stops at every meeting point
 * (branch and bound on the detour and the windows), and then every way to divide the requests among the
 * rides. It shares no code with the search.
 * @param travelMs the free drive between two places, Infinity where there is none.
 * @returns the fewest seats left without a ride, and the least cost beyond the drivers' own routes that goes
 *   with it.
 */
export function solveExactly(
  problem: Pick<Problem, 'rides' | 'wishes' | 'allowed'>,
  travelMs: TravelMs,
): { leftSeats: number; costMs: number } {
  const { rides, wishes } = problem;
  const freeDrive = keepDrives(travelMs);
  let best = new Map<number, number>([[0, 0]]);
  for (const ride of rides.keys()) best = withRide(best, costsOf(problem, ride, freeDrive));
  const leftOf = (set: number): number =>
    wishes.reduce((sum, { seats }, wish) => sum + ((set >> wish) & 1 ? 0 : seats), 0);
  return [...best]
    .map(([set, costMs]) => ({ leftSeats: leftOf(set), costMs }))
    .reduce((a, b) =>
      b.leftSeats < a.leftSeats || (b.leftSeats === a.leftSeats && b.costMs < a.costMs) ? b : a,
    );
}

function keepDrives(travelMs: TravelMs): TravelMs {
  const drives = new Map<string, number>();
  return (from, to) => {
    const key = `${from.lon},${from.lat},${to.lon},${to.lat}`;
    const known = drives.get(key);
    if (known !== undefined) return known;
    const ms = travelMs(from, to);
    drives.set(key, ms);
    return ms;
  };
}

/** The least cost of each set of requests, as bits, once one more ride can take some. */
function withRide(
  best: ReadonlyMap<number, number>,
  costs: ReadonlyMap<number, number>,
): Map<number, number> {
  const next = new Map(best);
  for (const [taken, cost] of best) {
    for (const [set, more] of costs) {
      if ((taken & set) !== 0 || set === 0) continue;
      const all = taken | set;
      if (cost + more < (next.get(all) ?? Infinity)) next.set(all, cost + more);
    }
  }
  return next;
}

/** A ride on its way: where it is, who is in it and who has been, as bits. */
interface Leg {
  at: At;
  /** Milliseconds after departure. */
  leavesMs: number;
  freeSeats: number;
  walkMs: number;
  /** The departures that suit all so far. */
  fromMs: number;
  toMs: number;
  aboard: number;
  done: number;
}

/** For one ride, the least cost of each set of requests that it can take, as bits. */
function costsOf(
  { rides, wishes, allowed }: Pick<Problem, 'rides' | 'wishes' | 'allowed'>,
  ride: number,
  freeDrive: TravelMs,
): Map<number, number> {
  const plan = rides[ride]!;
  const drive: TravelMs = (from, to) => Math.ceil((freeDrive(from, to) * plan.trafficPermille) / 1000);
  const [start, end] = [plan.stops[0]!, plan.stops.at(-1)!];
  const may = new Set(allowed.filter((pair) => pair.ride === ride).map(({ wish }) => wish));
  const costs = new Map<number, number>([[0, 0]]);
  const goOn = (leg: Leg): void => {
    if (leg.aboard === 0 && leg.done !== 0) {
      const extraMs = leg.leavesMs + drive(leg.at, end) - plan.aloneMs;
      const cost = extraMs + leg.walkMs / 2;
      if (extraMs <= plan.maxDetourMs && cost < (costs.get(leg.done) ?? Infinity)) costs.set(leg.done, cost);
    }
    for (const wish of wishes.keys()) if (may.has(wish)) stopFor(leg, wish);
  };
  /**
   * Continues from every meeting point of a request: where its passenger gets in, or out where they are
   * aboard.
   */
  const stopFor = (leg: Leg, wish: number): void => {
    const { seats, ...want } = wishes[wish]!;
    const bit = 1 << wish;
    if ((leg.done & bit) !== 0) return;
    const isAboard = (leg.aboard & bit) !== 0;
    if (!isAboard && seats > leg.freeSeats) return;
    for (const spot of isAboard ? want.dropoffs : want.pickups) {
      if (spot.walkMetres > want.walkMetres) continue;
      const hereMs = leg.leavesMs + drive(leg.at, spot);
      // The rest of the route cannot take less than driving straight to the end.
      if (hereMs + boardingMs + drive(spot, end) - plan.aloneMs > plan.maxDetourMs) continue;
      const fromMs = isAboard ? leg.fromMs : Math.max(leg.fromMs, want.earliestMs + spot.walkMs - hereMs);
      const latestMs = isAboard ? want.arriveByMs - spot.walkMs : want.latestMs;
      const toMs = Math.min(leg.toMs, latestMs - hereMs);
      if (fromMs > toMs) continue;
      goOn({
        at: spot,
        leavesMs: hereMs + boardingMs,
        freeSeats: isAboard ? leg.freeSeats + seats : leg.freeSeats - seats,
        walkMs: leg.walkMs + spot.walkMs,
        fromMs,
        toMs,
        aboard: leg.aboard ^ bit,
        done: isAboard ? leg.done | bit : leg.done,
      });
    }
  };
  goOn({
    at: start,
    leavesMs: 0,
    freeSeats: plan.seats,
    walkMs: 0,
    fromMs: plan.earliestDepartsMs,
    toMs: plan.latestDepartsMs,
    aboard: 0,
    done: 0,
  });
  return costs;
}
