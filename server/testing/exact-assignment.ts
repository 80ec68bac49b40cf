import type { Problem } from '../features/matching/assignment/problem.ts';

const boardingMs = 60_000;

/**
 * The best there is for a few rides and wishes, by trying every order of stops at every spot (branch and bound on the
 * detour and the windows), and then every way to divide the wishes among the rides. It shares no code with the search.
 * @param travelMs the free drive between two places, Infinity where there is none.
 * @returns the fewest seats left standing, and the least cost beyond the drivers' own ways that goes with it.
 */
export function solveExactly(
  { rides, wishes, allowed }: Pick<Problem, 'rides' | 'wishes' | 'allowed'>,
  travelMs: (from: { lon: number; lat: number }, to: { lon: number; lat: number }) => number,
): { leftSeats: number; costMs: number } {
  const drives = new Map<string, number>();
  const freeDrive = (from: { lon: number; lat: number }, to: { lon: number; lat: number }): number => {
    const key = `${from.lon},${from.lat},${to.lon},${to.lat}`;
    const known = drives.get(key);
    if (known !== undefined) return known;
    const ms = travelMs(from, to);
    drives.set(key, ms);
    return ms;
  };

  /** For one ride, the least cost of each set of wishes that it can take, as bits. */
  function costsOf(ride: number): Map<number, number> {
    const plan = rides[ride]!;
    const drive = (from: { lon: number; lat: number }, to: { lon: number; lat: number }) =>
      Math.ceil((freeDrive(from, to) * plan.trafficPermille) / 1000);
    const [start, end] = [plan.stops[0]!, plan.stops.at(-1)!];
    const may = new Set(allowed.filter((pair) => pair.ride === ride).map(({ wish }) => wish));
    const costs = new Map<number, number>([[0, 0]]);
    const go = (
      at: { lon: number; lat: number },
      leavesMs: number,
      free: number,
      walkMs: number,
      from: number,
      to: number,
      aboard: number,
      done: number,
    ): void => {
      if (aboard === 0 && done !== 0) {
        const extraMs = leavesMs + drive(at, end) - plan.aloneMs;
        const cost = extraMs + walkMs / 2;
        if (extraMs <= plan.maxDetourMs && cost < (costs.get(done) ?? Infinity)) costs.set(done, cost);
      }
      for (const [wish, { seats, ...want }] of wishes.entries()) {
        const bit = 1 << wish;
        if (!may.has(wish) || (done & bit) !== 0) continue;
        const isAboard = (aboard & bit) !== 0;
        if (!isAboard && seats > free) continue;
        for (const spot of isAboard ? want.dropoffs : want.pickups) {
          if (spot.walkMetres > want.walkMetres) continue;
          const hereMs = leavesMs + drive(at, spot);
          // What is still to come cannot be less than driving straight to the end.
          if (hereMs + boardingMs + drive(spot, end) - plan.aloneMs > plan.maxDetourMs) continue;
          const earliest = isAboard ? from : Math.max(from, want.earliestMs + spot.walkMs - hereMs);
          const latest = Math.min(to, (isAboard ? want.arriveByMs - spot.walkMs : want.latestMs) - hereMs);
          if (earliest > latest) continue;
          go(
            spot,
            hereMs + boardingMs,
            isAboard ? free + seats : free - seats,
            walkMs + spot.walkMs,
            earliest,
            latest,
            aboard ^ bit,
            isAboard ? done | bit : done,
          );
        }
      }
    };
    go(start, 0, plan.seats, 0, plan.earliestDepartsMs, plan.latestDepartsMs, 0, 0);
    return costs;
  }

  let best = new Map<number, number>([[0, 0]]);
  for (const ride of rides.keys()) {
    const next = new Map(best);
    const costs = costsOf(ride);
    for (const [taken, cost] of best) {
      for (const [set, more] of costs) {
        if ((taken & set) !== 0 || set === 0) continue;
        const all = taken | set;
        if (cost + more < (next.get(all) ?? Infinity)) next.set(all, cost + more);
      }
    }
    best = next;
  }
  const leftOf = (set: number): number =>
    wishes.reduce((sum, { seats }, wish) => sum + ((set >> wish) & 1 ? 0 : seats), 0);
  return [...best]
    .map(([set, costMs]) => ({ leftSeats: leftOf(set), costMs }))
    .reduce((a, b) =>
      b.leftSeats < a.leftSeats || (b.leftSeats === a.leftSeats && b.costMs < a.costMs) ? b : a,
    );
}
