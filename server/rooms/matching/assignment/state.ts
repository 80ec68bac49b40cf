import type { Choice } from '../rules/insertion.ts';
import { placeIn, withWish, type Between, type PlacedWish, type Route } from './routes.ts';

/** A plan under way: the routes, who is in none, and for each wish the rides that can take it at all. */
export interface State {
  readonly routes: readonly Route[];
  readonly left: readonly number[];
  readonly placed: readonly PlacedWish[];
  readonly open: readonly (readonly number[])[];
  readonly between: Between;
}

type Found = { choice: Choice; costMs: number } | null;

/** What a wish costs in a route is asked again and again while neither changes: kept as long as the route is. */
const costs = new WeakMap<Route, Map<number, Found>>();

export function cheapest({ placed, between }: State, route: Route, wish: number): Found {
  let known = costs.get(route);
  if (known === undefined) costs.set(route, (known = new Map()));
  let found = known.get(wish);
  if (found === undefined) known.set(wish, (found = placeIn(route, placed[wish]!, between)));
  return found;
}

interface Offer {
  ride: number;
  costMs: number;
  choice: Choice;
}

/**
 * Puts wishes in until none fits. Each time the one goes in whose loss would be greatest if it had to wait: by how much
 * its second, third … best ride is worse than its best, or the one with the fewest rides left. With `regret` 1 it is the
 * one that costs least: the greedy plan.
 * @param noise makes a cost larger or smaller, so that the same hole is filled in another way.
 */
export function fillGreedily(state: State, regret: number, noise: () => number = () => 1): State {
  const routes = [...state.routes];
  const waiting = new Set(state.left);
  const offers = new Map<number, Offer[]>();
  const offerOf = (wish: number, ride: number): Offer | null => {
    const found = cheapest(state, routes[ride]!, wish);
    return found === null ? null : { ride, choice: found.choice, costMs: found.costMs * noise() };
  };
  for (const wish of waiting)
    offers.set(
      wish,
      state.open[wish]!.flatMap((ride) => offerOf(wish, ride) ?? []).toSorted((a, b) => a.costMs - b.costMs),
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
    routes[ride] = withWish(routes[ride]!, wish, state.placed[wish]!, choice, state.between);
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
  return { ...state, routes, left: [...waiting] };
}

/** More than any detour: a ride less to choose from outweighs every minute. */
const noRideMs = 24 * 3_600_000;

function worthOf(list: readonly Offer[], regret: number, seats: number): number {
  const best = list[0]!.costMs;
  if (regret === 1) return -best / seats;
  let worth = 0;
  for (let rank = 1; rank < regret; rank++) worth += (list[rank]?.costMs ?? noRideMs) - best;
  return worth;
}

/** What a plan comes to: seats left standing first, then the cost. */
export function valueOf({ routes, left, placed }: State): { leftSeats: number; costMs: number } {
  return {
    leftSeats: left.reduce((sum, wish) => sum + placed[wish]!.wish.seats, 0),
    costMs: routes.reduce((sum, { costMs }) => sum + costMs, 0),
  };
}
