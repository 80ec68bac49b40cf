import { without, type PlacedWish, type Route } from './routes.ts';
import { fillGreedily, valueOf, type State } from './state.ts';

/** How much worse a plan the search may accept at first. */
const warmestMs = 60_000;
/** Counted in rounds, not in time: the same seed takes the same path on any machine, however far it gets. */
const roundsToCool = 800;

interface Limits {
  seed: number;
  /** Rounds without any gain after which it ends. */
  patience: number;
  /** By `performance.now()`. */
  endsAt: number;
}

/**
 * Large neighborhood search (S. Ropke, D. Pisinger: An Adaptive Large Neighborhood Search Heuristic for the
 * Pickup and Delivery Problem with Time Windows, 2006): removes some requests and inserts all again, those
 * first whose delay would cost most. A slightly worse plan is sometimes accepted, less and less so; the best
 * one is returned.
 * @param start a plan in which every request is inserted or left; it is never made worse.
 */
export function improve(empty: State, start: State, { seed, patience, endsAt }: Limits): State {
  const random = randomFrom(seed);
  const second = fillGreedily(empty, 3);
  let now = isBetter(second, start) ? second : start;
  let best = now;
  const movable = movableOf(empty);
  // With many requests there is more to gain elsewhere.
  const strictShare = movable.length > 40 ? 0.95 : 0.5;
  const singles = empty.placed.map(eachPickup);
  if (movable.length === 0) return best;
  // The weight of one unserved seat: more than all detours together.
  const seatMs = 1 + empty.placed.length * 3_600_000;
  const weigh = (state: State): number => {
    const { leftSeats, costMs } = valueOf(state);
    return leftSeats * seatMs + costMs;
  };
  let nowMs = weigh(now);
  let bestMs = nowMs;
  let idle = 0;
  let rounds = 0;
  while (idle < patience && performance.now() < endsAt) {
    idle++;
    rounds++;
    const holed = takeOut(now, chosen(now, movable, random), random);
    const regret = 1 + Math.floor(random() * 4);
    const loud = random() < 0.5 ? 0 : 0.25;
    const strict = random() < strictShare;
    const filled = fillGreedily(holed, regret, {
      noise: () => 1 + loud * (random() - 0.5),
      placed: (wish) => {
        const single = singles[wish]!;
        return strict || single.length < 2 || random() < 0.7
          ? empty.placed[wish]!
          : single[Math.floor(random() * single.length)]!;
      },
    });
    const filledMs = weigh(filled);
    // Warm at first, cold towards the end of its patience: a minute worse is often accepted, five hardly
    // ever.
    const spent = Math.max(idle / patience, Math.min(1, rounds / roundsToCool));
    const heatMs = warmestMs * (1 - spent);
    if (filledMs < nowMs || random() < Math.exp((nowMs - filledMs) / Math.max(heatMs, 1))) {
      now = filled;
      nowMs = filledMs;
    }
    if (nowMs < bestMs) {
      best = now;
      bestMs = nowMs;
      idle = 0;
    }
    // Returns to the best plan from time to time.
    if (idle > 0 && idle % Math.ceil(patience / 4) === 0) {
      now = best;
      nowMs = bestMs;
    }
  }
  return best;
}

function isBetter(a: State, b: State): boolean {
  const [left, right] = [valueOf(a), valueOf(b)];
  return (
    left.leftSeats < right.leftSeats || (left.leftSeats === right.leftSeats && left.costMs < right.costMs)
  );
}

/** A request split by pick-up point, and likewise by drop-off point. */
function eachPickup({ number, wish, pickups, dropoffs }: PlacedWish): PlacedWish[] {
  return pickups.flatMap((pickup, p) =>
    dropoffs.map((dropoff, d) => ({
      number,
      wish: { ...wish, pickups: [wish.pickups[p]!], dropoffs: [wish.dropoffs[d]!] },
      pickups: [pickup],
      dropoffs: [dropoff],
    })),
  );
}

/** The requests that some ride can serve and that are not in a fixed pair. */
const movableOf = ({ left, open }: State): number[] => left.filter((wish) => open[wish]!.length > 0);

/**
 * The requests to remove: random ones, those that could ride in the same cars as the first, or all of some
 * cars.
 */
function chosen(state: State, movable: readonly number[], random: () => number): Set<number> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const most = Math.max(1, Math.min(24, Math.ceil(movable.length * 0.4)));
  const count = 1 + Math.floor(random() * most);
  const out = new Set<number>();
  const kind = random();
  // Unserved requests show where seats are scarce.
  const tight = state.left.filter((wish) => state.open[wish]!.length > 0);
  const first = tight.length > 0 && random() < 0.5 ? pick(tight) : pick(movable);
  if (kind < 0.4) {
    const rides = new Set(state.open[first]);
    const movableSet = new Set(movable);
    const order = [...rides].map((ride) => ({ ride, key: random() })).toSorted((a, b) => a.key - b.key);
    for (const { ride } of order) {
      if (out.size >= count) break;
      for (const wish of state.routes[ride]!.aboard) if (movableSet.has(wish)) out.add(wish);
    }
  } else if (kind < 0.7) {
    const at = state.placed[first]!.wish;
    const near = movable
      .map((wish) => ({ wish, far: apart(state.placed[wish]!.wish, at) * (0.6 + 0.8 * random()) }))
      .toSorted((a, b) => a.far - b.far);
    for (const { wish } of near.slice(0, count)) out.add(wish);
  } else {
    while (out.size < Math.min(count, movable.length)) out.add(pick(movable));
  }
  return out;
}

function apart(
  a: { pickups: readonly { lon: number; lat: number }[]; dropoffs: readonly { lon: number; lat: number }[] },
  b: typeof a,
): number {
  const [from, to, otherFrom, otherTo] = [a.pickups[0]!, a.dropoffs[0]!, b.pickups[0]!, b.dropoffs[0]!];
  return (
    Math.hypot(from.lon - otherFrom.lon, from.lat - otherFrom.lat) +
    Math.hypot(to.lon - otherTo.lon, to.lat - otherTo.lat)
  );
}

/** The plan with some requests removed; those without which a car cannot be driven stay in it. */
function takeOut(state: State, out: ReadonlySet<number>, random: () => number): State {
  const stood = new Set(state.left);
  const gone = new Set(state.left);
  const rides = new Set<number>();
  const routes = state.routes.map((route, ride): Route => {
    const leaving = new Set(route.aboard.filter((wish) => out.has(wish)));
    if (leaving.size === 0) return route;
    const rest = without(route, leaving, state.between);
    if (rest === null) return route;
    rides.add(ride);
    for (const wish of leaving) gone.add(wish);
    return rest;
  });
  // Shuffled each time, so that ties do not always break the same way.
  const left = [...gone].map((wish) => ({ wish, key: random() })).toSorted((a, b) => a.key - b.key);
  return { ...state, routes, left: left.map(({ wish }) => wish), roomier: { rides, stood } };
}

/** Pseudorandom numbers from 0 to 1 from a seed (xorshift32, George Marsaglia, 2003). */
function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}
