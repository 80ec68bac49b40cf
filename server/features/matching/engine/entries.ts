import type { Choice } from '../rules/insertion.ts';
import type { NearMiss } from '../rules/near-miss.ts';
import type { Plan } from '../rules/plan.ts';
import type { Wish } from '../rules/wish.ts';

/** A ride as the index keeps it: plain data, so that it can be handed to another thread. */
export interface RideEntry {
  id: string;
  driverId: string;
  /** Whether all users may see it; who else may is for the database to say. */
  isPublic: boolean;
  plan: Plan;
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
  joinedSeats: number;
}

/** A request as the index keeps it. */
export interface RequestEntry {
  id: string;
  passengerId: string;
  isPublic: boolean;
  wish: Wish;
  /** Per person; null leaves it open. */
  offerCents: number | null;
}

/** Who asks, and how much of the answer they need. */
export interface Asker {
  nowMs: number;
  /** People whose orders are left out: the asker, and those between whom and the asker there is a block. */
  hidden: readonly string[];
  /** How many hits to hand over at most, the best by road, time and price; all are counted. */
  most: number;
  /** How many near misses, 0 for none. */
  nearMisses: number;
}

/** A fit, by the id of the other order. */
export interface Hit {
  id: string;
  isPublic: boolean;
  choice: Choice;
  fareCents: number;
  /** What road, time, walk and price weigh; people are weighed afterwards. */
  score: number;
}

export interface Answer {
  /** All who fit: orders that all users may see, and the others. */
  publicCount: number;
  restrictedCount: number;
  /** Best first. */
  hits: Hit[];
  /** Smallest change first. */
  nearMisses: { hit: Hit; miss: NearMiss }[];
  /** How many orders were left after the bounds, for measurement. */
  survivors: number;
}

/** How one pair of a list stands: what fits, or null. */
export type Verdict = Pick<Hit, 'choice' | 'fareCents'> | null;
