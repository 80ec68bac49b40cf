import type { Plan } from '../rules/plan.ts';
import type { Wish } from '../rules/wish.ts';

/**
 * The input of an assignment: rides and requests by their position in the lists, plain data for another
 * thread.
 */
export interface Problem {
  rides: readonly Plan[];
  wishes: readonly Wish[];
  /** Pairs that may ride together by audience, blocks and price; does not consider the roads. */
  allowed: readonly Pair[];
  /** Pairs already proposed, which are not moved; those that no longer fit come back as lost. */
  kept: readonly Pair[];
  /** The same seed finds the same plan, as long as the search does not run out of time. */
  seed: number;
  /** Rounds without any gain after which the search ends, and its time limit. */
  patience: number;
  budgetMs: number;
}

/** The limits of a search that people wait for: rounds without any gain, and its time. */
export const assignEffort = { patience: 400, budgetMs: 6_000 };

export interface Pair {
  ride: number;
  wish: number;
}

/** A passenger's place in a plan, in the order of the stops. Instants are milliseconds since 1970. */
export interface Assigned extends Pair {
  pickupMs: number;
  dropoffMs: number;
}

export interface RidePlan {
  departsMs: number;
  arrivesMs: number;
  /** The whole drive, and the driver's extra minutes over driving alone. */
  driveMs: number;
  extraMs: number;
  seatsLeft: number;
}

/** The value of an assignment. */
interface Total {
  /** The seats of unserved requests. */
  leftSeats: number;
  /** The drivers' extra driving over driving alone, and that plus half the walk of the served passengers. */
  driveMs: number;
  costMs: number;
}

export interface Assignment extends Total {
  assigned: Assigned[];
  /** Fixed pairs that no longer fit. */
  lost: Pair[];
  rides: RidePlan[];
  /** Requests that no ride serves. */
  left: number[];
  /** The value of the greedy plan for the same problem, which takes the cheapest insertion each time. */
  greedy: Total;
  tookMs: number;
}
