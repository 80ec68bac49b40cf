import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import type { RideRow } from './ports.ts';
import type { Pair } from './rules/explain.ts';
import { planFrom, wishFrom } from './rules/from-now.ts';
import type { Plan } from './rules/plan.ts';
import { shareCents } from './rules/price.ts';
import type { Wish } from './rules/wish.ts';
import * as store from './store.ts';

/** The rows of a ride and a request. */
export interface PairFacts {
  ride: RideRow;
  plan: Plan;
  wish: Wish;
  /** Per person; null leaves it open. */
  offerCents: number | null;
  joinedSeats: number;
}

/** A ride and a request with their windows cut at now: neither can leave in the past. */
export function pairOf(app: App, facts: PairFacts): Pair {
  const nowMs = app.clock.now().getTime();
  const [plan, wish] = [planFrom(facts.plan, nowMs), wishFrom(facts.wish, nowMs)];
  return {
    plan,
    wish,
    drives: app.matching.roads.drivesOf(plan, wish),
    offerCents: facts.offerCents,
    fareCentsOf: (seats) => shareCents(facts.ride, seats, facts.joinedSeats),
  };
}

/** The plan of a ride as stored in a transaction. @throws Error where it has none. */
export async function planOf(app: App, tx: Db, ride: RideRow): Promise<Plan> {
  const plan = (await store.plansOf(tx, app.ports.matching, [ride])).get(ride.id);
  if (plan === undefined) throw new Error(`ride ${ride.id} has no plan`);
  return plan;
}
