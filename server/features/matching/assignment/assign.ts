import type { RoadNetwork } from '#roads/graph/network.ts';
import { offsetsOf } from '../rules/plan.ts';
import { spotsWithin } from '../rules/wish.ts';
import { Points } from './points.ts';
import type { Assignment, Pair, Problem } from './problem.ts';
import { placeIn, routeOf, timesOf, withWish, type Between, type PlacedWish, type Route } from './routes.ts';
import { fillGreedily, type State } from './state.ts';
import { improve } from './search.ts';

/**
 * Assigns requests to rides: fewest unserved seats first, then the least cost (driving, and half the walk, as
 * matching weighs it). Starts from the better of two constructions, one of them greedy, and only ever
 * replaces a plan by a better one, so it is never worse than greedy.
 */
export function assign(problem: Problem, network: RoadNetwork): Assignment {
  const beganAt = performance.now();
  const asOffered = place(problem, network);
  const { standing, lost } = keep(problem, asOffered);
  const kept = new Set(problem.kept.map(({ wish }) => wish));
  const free = problem.wishes.map((_, wish) => wish).filter((wish) => !kept.has(wish));
  const open = candidates(problem, standing, free);
  const state: State = { ...standing, left: free, open };
  const greedy = fillGreedily(state, 1);
  const best = improve(state, greedy, {
    seed: problem.seed,
    patience: problem.patience,
    endsAt: beganAt + problem.budgetMs,
  });
  return {
    ...answerOf(problem, best.routes),
    left: best.left.toSorted((a, b) => a - b),
    lost,
    greedy: totalOf(problem, greedy),
    ...totalOf(problem, best),
    tookMs: performance.now() - beganAt,
  };
}

function totalOf({ rides, wishes }: Problem, { routes, left }: State) {
  const alone = rides.reduce((sum, { aloneMs }) => sum + aloneMs, 0);
  return {
    leftSeats: left.reduce((sum, wish) => sum + wishes[wish]!.seats, 0),
    driveMs: routes.reduce((sum, { plan }) => sum + offsetsOf(plan.stops).at(-1)!, 0) - alone,
    costMs: routes.reduce((sum, { costMs }) => sum + costMs, 0) - alone,
  };
}

/** A problem on the roads: its requests by their points, its rides as routes. */
interface PlacedProblem {
  placed: readonly PlacedWish[];
  routes: readonly Route[];
  between: Between;
}

/** Places a problem on the roads: each place numbered once, meeting points beyond the walk left out. */
export function place(
  { rides, wishes }: Pick<Problem, 'rides' | 'wishes'>,
  network: RoadNetwork,
): PlacedProblem {
  const points = new Points(network);
  const number = (at: { lon: number; lat: number }) => points.number(at);
  const placed = wishes.map((wish, index): PlacedWish => {
    const pickups = wish.pickups.slice(0, spotsWithin(wish.pickups, wish.walkMetres));
    const dropoffs = wish.dropoffs.slice(0, spotsWithin(wish.dropoffs, wish.walkMetres));
    return {
      number: index,
      wish: { ...wish, pickups, dropoffs },
      pickups: pickups.map(number),
      dropoffs: dropoffs.map(number),
    };
  });
  const routes = rides.map((plan) => routeOf(plan, plan.stops.map(number)));
  return { placed, routes, between: points.between() };
}

/** Inserts the fixed pairs, in their order. */
function keep(
  { kept }: Problem,
  { placed, routes: asOffered, between }: PlacedProblem,
): { standing: PlacedProblem; lost: Pair[] } {
  const routes = [...asOffered];
  const lost: Pair[] = [];
  for (const pair of kept) {
    const [route, wish] = [routes[pair.ride]!, placed[pair.wish]!];
    const found = placeIn(route, wish, between);
    if (found === null) lost.push(pair);
    else routes[pair.ride] = withWish(route, wish, found.choice, between);
  }
  return { standing: { placed, routes, between }, lost };
}

/**
 * The rides that could serve each request as they are: the first passenger to join must fit, regardless of
 * the others.
 */
function candidates(
  { allowed, wishes }: Problem,
  { placed, routes, between }: PlacedProblem,
  free: readonly number[],
): number[][] {
  const open = wishes.map((): number[] => []);
  const isFree = new Set(free);
  for (const { ride, wish } of allowed)
    if (isFree.has(wish) && placeIn(routes[ride]!, placed[wish]!, between) !== null) open[wish]!.push(ride);
  return open;
}

function answerOf({ rides }: Problem, routes: readonly Route[]): Pick<Assignment, 'assigned' | 'rides'> {
  return {
    assigned: routes.flatMap((route, ride) =>
      [...timesOf(route)].map(([wish, times]) => ({ ride, wish, ...times })),
    ),
    rides: routes.map(({ plan }, ride) => {
      const drivenMs = offsetsOf(plan.stops).at(-1)!;
      return {
        departsMs: plan.departsMs,
        arrivesMs: plan.departsMs + drivenMs,
        driveMs: drivenMs,
        extraMs: drivenMs - rides[ride]!.aloneMs,
        seatsLeft: plan.seats - Math.max(...plan.stops.map(({ seatsTaken }) => seatsTaken)),
      };
    }),
  };
}
