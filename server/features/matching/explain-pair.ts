import { explain, type Explanation } from './rules/explain.ts';
import { inWholeMinutes } from './rules/rounding.ts';
import type { MatchingContext } from './context.ts';
import { pairOf, planOf } from './pair.ts';
import * as store from './store.ts';
import { asKnownTo, type Side } from './tell-pair.ts';

/**
 * Rule by rule how one request fits one ride, for the owner of one of them: by the other's rounded places, in
 * whole minutes, on committed data. The caller has checked that both may see each other's order.
 */
export async function explainPair(
  context: MatchingContext,
  ride: store.RideRow,
  request: store.RequestRow,
  viewer: Side,
): Promise<Explanation> {
  const { db, roads, orders } = context;
  const [plan, joined] = await Promise.all([planOf(context, db, ride), orders.joinedSeats(db, [ride.id])]);
  const known = asKnownTo(roads, viewer, plan, store.wishOf(request));
  const { offerCents } = request;
  const joinedSeats = joined.get(ride.id) ?? 0;
  const { fits, rules } = explain(pairOf(context, { ride, ...known, offerCents, joinedSeats }));
  return { fits, rules: rules.map(inWholeMinutes) };
}
