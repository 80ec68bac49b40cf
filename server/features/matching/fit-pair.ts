import type { App } from '../../app-type.ts';
import { insertWish, withSteps } from './insert-wish.ts';
import type { RequestRow } from './ports.ts';
import { planFrom, wishFrom } from './rules/from-now.ts';
import type { Insertion } from './rules/insertion.ts';
import type { Plan } from './rules/plan.ts';
import { suits } from './rules/preferences.ts';
import type { Spot, Wish } from './rules/wish.ts';
import * as store from './store.ts';

/**
 * The fit of one request with one ride and its plan, or null. Price, audience and who may ride with whom are
 * not checked: accepting agrees to the price, and an invited person may join.
 * @param agreed the meeting points that both know: no others are tried.
 */
export function fitPair(
  app: App,
  stored: Plan,
  request: RequestRow,
  agreed?: { pickup: Spot; dropoff: Spot },
): { plan: Plan; wish: Wish; insertion: Insertion } | null {
  const { clock, matching } = app;
  const plan = planFrom(stored, clock.now().getTime());
  const asked = wishFrom(store.wishOf(request), clock.now().getTime());
  if (!suits(plan.preferences, asked.preferences)) return null;
  const wish =
    agreed === undefined ? asked : { ...asked, pickups: [agreed.pickup], dropoffs: [agreed.dropoff] };
  const insertion = insertWish(matching.roads, plan, wish);
  if (insertion === null) return null;
  // At the door the walk is included, as wherever the pair is shown.
  return {
    plan,
    wish,
    insertion: agreed === undefined ? withSteps(matching.roads, insertion) : insertion,
  };
}
