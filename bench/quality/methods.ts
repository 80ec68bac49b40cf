import { greatCircleMetres } from '../../roads/graph/geometry.ts';
import { Engine, type EngineRoads } from '../../server/features/matching/engine/engine.ts';
import type { RideEntry } from '../../server/features/matching/engine/entries.ts';
import type { Plan } from '../../server/features/matching/rules/plan.ts';
import type { Wish } from '../../server/features/matching/rules/wish.ts';
import type { Roads } from '../region-roads.ts';
import { passes, timedLine, type TimedLine } from './buffer.ts';
import type { Method } from './game.ts';

/**
 * Rides that start within a radius of the start and end within it of the end, at about that time: the least
 * metres to both first.
 */
export const radiusSearch = (metres: number): Method => ({
  name: `radius ${metres / 1000} km`,
  walks: false,
  open(rides) {
    return scan(rides, ({ plan }, wish) => {
      const from = greatCircleMetres(plan.stops[0]!, wish.pickups[0]!);
      const to = greatCircleMetres(plan.stops.at(-1)!, wish.dropoffs[0]!);
      return from <= metres && to <= metres && passesInTime(plan, 0, wish) ? from + to : null;
    });
  },
});

/**
 * Finds rides by their route with all joined passengers: it passes within a buffer of the start and then of
 * the end at about that time. The fewest meters from the route to both come first.
 */
export const routeBuffer = (metres: number, roads: Roads, walks: boolean): Method => ({
  name: `route buffer ${metres / 1000} km${walks ? ', meeting points' : ''}`,
  walks,
  open(rides) {
    const lines = new Map<Plan, TimedLine>();
    const lineOf = (plan: Plan): TimedLine => {
      const known = lines.get(plan);
      if (known !== undefined) return known;
      const made = timedLine(
        plan.stops.slice(1).map((stop, i) => ({
          line: roads.route(plan.stops[i]!, stop).line,
          standsMs: plan.stops[i]!.standsMs,
          milliseconds: plan.stops[i]!.toNextMs,
        })),
      );
      lines.set(plan, made);
      return made;
    };
    return scan(rides, ({ plan }, wish) => {
      // Where the car is nowhere in time, its line need not be compared.
      const line = lineOf(plan);
      const arrivesByMs = plan.latestDepartsMs + line.offsetMs.at(-1)!;
      if (plan.earliestDepartsMs > wish.latestMs || arrivesByMs < wish.earliestMs) return null;
      const passing = passes(line, wish.pickups[0]!, wish.dropoffs[0]!, metres);
      return passing !== null && passesInTime(plan, passing.pickupOffsetMs, wish) ? passing.metres : null;
    });
  },
});

/**
 * The index of open orders as the server runs it: every ride that can take the passenger. In the order of its
 * ranking without what it knows of people, which weighs what both sides mind; or the driver's least detour
 * first.
 */
export const sameway = (
  engineRoads: EngineRoads,
  { walks, order, nowMs }: { walks: boolean; order: 'ranking' | 'least detour'; nowMs: number },
): Method => ({
  name: `Sameway${walks ? '' : ', at the door'}${order === 'ranking' ? '' : `, ${order} first`}`,
  walks,
  open(rides) {
    const engine = new Engine(engineRoads);
    engine.take(rides.map((ride) => ({ kind: 'ride', ride })));
    return {
      propose({ atDoor, walking }) {
        const { hits } = engine.answer({
          kind: 'ridesFor',
          wish: walks ? walking : atDoor,
          offerCents: null,
          asker: { nowMs, hidden: [], most: rides.length, nearMisses: 0 },
        });
        const ordered =
          order === 'ranking' ? hits : hits.toSorted((a, b) => a.choice.detourMs - b.choice.detourMs);
        return ordered.map(({ id }) => id);
      },
      changed: (ride) => engine.take([{ kind: 'ride', ride }]),
    };
  },
});

/** Tries every ride with a free seat; `judge` gives the sort key, lowest first, or null for no match. */
function scan(rides: readonly RideEntry[], judge: (ride: RideEntry, wish: Wish) => number | null) {
  const standing = new Map(rides.map((ride) => [ride.id, ride]));
  return {
    propose: ({ atDoor }: { atDoor: Wish }): string[] =>
      [...standing.values()]
        .filter(({ plan }) => plan.stops.slice(0, -1).some(({ seatsTaken }) => seatsTaken < plan.seats))
        .flatMap((ride) => {
          const measure = judge(ride, atDoor);
          return measure === null ? [] : [{ id: ride.id, measure }];
        })
        .toSorted((a, b) => a.measure - b.measure)
        .map(({ id }) => id),
    changed: (ride: RideEntry): void => void standing.set(ride.id, ride),
  };
}

/** Whether the car can be at a point of its way within the passenger's window. */
const passesInTime = (plan: Plan, offsetMs: number, wish: Wish): boolean =>
  plan.earliestDepartsMs + offsetMs <= wish.latestMs && plan.latestDepartsMs + offsetMs >= wish.earliestMs;
