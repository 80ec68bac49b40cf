import type { App } from '../../app-type.ts';
import { pairOf, planOf } from './pair.ts';
import type { RequestRow, RideRow } from './ports.ts';
import { explain, type Explanation } from './rules/explain.ts';
import { inWholeMinutes } from './rules/rounding.ts';
import * as store from './store.ts';
import { asKnownTo, type Side } from './tell-pair.ts';

/**
 * Rule by rule how one request fits one ride, for the owner of one of them: by the other's rounded places, in
 * whole minutes, on committed data. The caller has checked that both may see each other's order.
 */
export async function explainPair(
  app: App,
  ride: RideRow,
  request: RequestRow,
  viewer: Side,
): Promise<Explanation> {
  const { db } = app;
  const [plan, joined] = await Promise.all([
    planOf(app, db, ride),
    app.ports.matching.joinedSeats(db, [ride.id]),
  ]);
  const known = asKnownTo(app.matching.roads, viewer, plan, store.wishOf(request));
  const { offerCents } = request;
  const joinedSeats = joined.get(ride.id) ?? 0;
  const { fits, rules } = explain(pairOf(app, { ride, ...known, offerCents, joinedSeats }));
  return { fits, rules: rules.map(inWholeMinutes) };
}
