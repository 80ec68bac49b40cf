import type { Db } from '../../platform/database/db.ts';
import type { Pair } from './rules/explain.ts';
import { planFrom, wishFrom } from './rules/from-now.ts';
import type { Plan } from './rules/plan.ts';
import { shareCents } from './rules/price.ts';
import type { Wish } from './rules/wish.ts';
import type { MatchingContext } from './context.ts';
import * as store from './store.ts';

/** The rows of a ride and a request. */
export interface PairFacts {
  ride: store.RideRow;
  plan: Plan;
  wish: Wish;
  /** Per person; null leaves it open. */
  offerCents: number | null;
  joinedSeats: number;
}

/** A ride and a request with their windows cut at now: neither can leave in the past. */
export function pairOf({ roads, clock }: Pick<MatchingContext, 'roads' | 'clock'>, facts: PairFacts): Pair {
  const nowMs = clock.now().getTime();
  const [plan, wish] = [planFrom(facts.plan, nowMs), wishFrom(facts.wish, nowMs)];
  return {
    plan,
    wish,
    drives: roads.drivesOf(plan, wish),
    offerCents: facts.offerCents,
    fareCentsOf: (seats) => shareCents(facts.ride, seats, facts.joinedSeats),
  };
}

/** The plan of a ride as stored in a transaction. @throws Error where it has none. */
export async function planOf(
  { orders }: Pick<MatchingContext, 'orders'>,
  tx: Db,
  ride: store.RideRow,
): Promise<Plan> {
  const plan = (await store.plansOf(tx, orders, [ride])).get(ride.id);
  if (plan === undefined) throw new Error(`ride ${ride.id} has no plan`);
  return plan;
}
