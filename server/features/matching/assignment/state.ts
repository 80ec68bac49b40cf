import type { Choice } from '../rules/insertion.ts';
import { placeIn, withWish, type Between, type PlacedWish, type Route } from './routes.ts';

/**
 * A plan in progress: the routes, the unserved requests, and for each request the rides that can serve it at
 * all.
 */
export interface State {
  readonly routes: readonly Route[];
  readonly left: readonly number[];
  readonly placed: readonly PlacedWish[];
  readonly open: readonly (readonly number[])[];
  readonly between: Between;
  /**
   * The requests of `stood` fitted nowhere before; only `rides` have more room since then and need to be
   * tried.
   */
  readonly roomier?: { rides: ReadonlySet<number>; stood: ReadonlySet<number> };
}

type Found = { choice: Choice; costMs: number } | null;

/**
 * The cost of a request in a route is read many times while neither changes: cached for the life of the
 * route.
 */
const costs = new WeakMap<Route, Map<PlacedWish, Found>>();

function cheapest(route: Route, placed: PlacedWish, between: Between): Found {
  let known = costs.get(route);
  if (known === undefined) costs.set(route, (known = new Map()));
  let found = known.get(placed);
  if (found === undefined) known.set(placed, (found = placeIn(route, placed, between)));
  return found;
}

interface Offer {
  ride: number;
  costMs: number;
  choice: Choice;
}

/** Random variations that make a search take another path than the last time. */
interface Whims {
  /** Makes a cost larger or smaller, so that the same gap is filled differently. */
  noise(): number;
  /**
   * A request as it is, or with only one of its meeting points: the cheapest one now is not always best for
   * later insertions.
   */
  placed(wish: number): PlacedWish;
}

/**
 * Inserts requests until none fits. Each time it takes the one whose delay would cost most: by how much its
 * second, third … best ride is worse than its best, or the one with the fewest rides left. With `regret` 1 it
 * takes the one that costs least: the greedy plan.
 */
export function fillGreedily(state: State, regret: number, whims: Whims | null = null): State {
  const routes = [...state.routes];
  const placed = state.left.reduce(
    (all, wish) => all.set(wish, whims?.placed(wish) ?? state.placed[wish]!),
    new Map<number, PlacedWish>(),
  );
  const waiting = new Set(state.left);
  const offers = new Map<number, Offer[]>();
  const offerOf = (wish: number, ride: number): Offer | null => {
    const found = cheapest(routes[ride]!, placed.get(wish)!, state.between);
    if (found === null) return null;
    return { ride, choice: found.choice, costMs: found.costMs * (whims?.noise() ?? 1) };
  };
  const { roomier } = state;
  const ridesFor = (wish: number): readonly number[] =>
    roomier?.stood.has(wish) === true
      ? state.open[wish]!.filter((ride) => roomier.rides.has(ride))
      : state.open[wish]!;
  for (const wish of waiting)
    offers.set(
      wish,
      ridesFor(wish)
        .flatMap((ride) => offerOf(wish, ride) ?? [])
        .toSorted((a, b) => a.costMs - b.costMs),
    );
  for (;;) {
    let next: { wish: number; offer: Offer; worth: number } | null = null;
    for (const wish of waiting) {
      const list = offers.get(wish)!;
      const [best] = list;
      if (best === undefined) continue;
      const worth = worthOf(list, regret, state.placed[wish]!.wish.seats);
      if (next === null || worth > next.worth) next = { wish, offer: best, worth };
    }
    if (next === null) break;
    const { wish, offer } = next;
    const { ride, choice } = offer;
    routes[ride] = withWish(routes[ride]!, placed.get(wish)!, choice, state.between);
    waiting.delete(wish);
    offers.delete(wish);
    for (const [other, list] of offers) {
      const at = list.findIndex((each) => each.ride === ride);
      if (at < 0) continue;
      list.splice(at, 1);
      const again = offerOf(other, ride);
      if (again === null) continue;
      const position = list.findIndex(({ costMs }) => costMs > again.costMs);
      list.splice(position < 0 ? list.length : position, 0, again);
    }
  }
  const { placed: all, open, between } = state;
  return { routes, left: [...waiting], placed: all, open, between };
}

/** More than any detour: having one ride fewer to choose from outweighs every minute. */
const noRideMs = 24 * 3_600_000;

function worthOf(list: readonly Offer[], regret: number, seats: number): number {
  const best = list[0]!.costMs;
  if (regret === 1) return -best / seats;
  let worth = 0;
  for (let rank = 1; rank < regret; rank++) worth += (list[rank]?.costMs ?? noRideMs) - best;
  return worth;
}

/** The value of a plan: unserved seats first, then the cost. */
export function valueOf({ routes, left, placed }: State): { leftSeats: number; costMs: number } {
  return {
    leftSeats: left.reduce((sum, wish) => sum + placed[wish]!.wish.seats, 0),
    costMs: routes.reduce((sum, { costMs }) => sum + costMs, 0),
  };
}
