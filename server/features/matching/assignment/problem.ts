import type { Plan } from '../rules/plan.ts';
import type { Wish } from '../rules/wish.ts';

/**
 * Which passengers ride with whom: rides and wishes by their position in the lists, plain data for another
 * thread.
 */
export interface Problem {
  rides: readonly Plan[];
  wishes: readonly Wish[];
  /** Pairs that may ride together, whatever the roads say: circles, blocks, price. */
  allowed: readonly Pair[];
  /** Pairs that have been proposed and are not moved; those that fit no more come back as lost. */
  kept: readonly Pair[];
  /** The same seed finds the same plan, as long as the search is not cut off by its time. */
  seed: number;
  /** Rounds without any gain after which the search ends, and how long it may take at most. */
  patience: number;
  budgetMs: number;
}

/** How hard a plan is looked for when people wait: rounds without any gain, and the time it may take. */
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

/** What an assignment comes to. */
interface Total {
  /** Seats that those left standing need. */
  leftSeats: number;
  /** What the drivers drive more than alone, and that plus half of what those taken along walk. */
  driveMs: number;
  costMs: number;
}

export interface Assignment extends Total {
  assigned: Assigned[];
  /** Kept pairs that fit no more. */
  lost: Pair[];
  rides: RidePlan[];
  /** Wishes that nobody takes along. */
  left: number[];
  /** What the same problem comes to when the cheapest place is taken again and again. */
  greedy: Total;
  tookMs: number;
}
