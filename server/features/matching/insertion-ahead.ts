import type { App } from '../../app-type.ts';
import { insertWish } from './insert-wish.ts';
import type { Insertion } from './rules/insertion.ts';
import type { Plan } from './rules/plan.ts';
import type { Spot, Wish } from './rules/wish.ts';

/**
 * The drop-off of a passenger who is in the car already and got in after the stop `passed`. Checks seats, but
 * no windows and no maximum detour; null where the seats are taken.
 */
export function insertionAhead(
  app: App,
  plan: Plan,
  passed: number,
  { seats, pickup, dropoff }: { seats: number; pickup: Spot; dropoff: Spot },
): { wish: Wish; insertion: Insertion } | null {
  const { roads } = app.matching;
  const anyTime = { earliestMs: -Infinity, latestMs: Infinity };
  const rest: Plan = {
    ...plan,
    stops: plan.stops.slice(passed).map((stop) => ({ ...stop, ...anyTime })),
    earliestDepartsMs: plan.departsMs,
    latestDepartsMs: plan.departsMs,
    maxDetourMs: Number.MAX_SAFE_INTEGER,
  };
  const wish: Wish = {
    seats,
    pickups: [pickup],
    dropoffs: [dropoff],
    walkMetres: 0,
    ...anyTime,
    arriveByMs: Infinity,
    preferences: plan.preferences,
  };
  const drives = roads.drivesOf(rest, wish);
  const insertion = insertWish(roads, rest, wish, {
    ...drives,
    toPickup: (stop, spot) => (stop === 0 ? drives.toPickup(stop, spot) : Infinity),
  });
  if (insertion === null) return null;
  const { pickupAfter, dropoffAfter } = insertion;
  return {
    wish,
    insertion: { ...insertion, pickupAfter: pickupAfter + passed, dropoffAfter: dropoffAfter + passed },
  };
}
