import type { Choice } from '../rules/insertion.ts';
import type { NearMiss } from '../rules/near-miss.ts';
import type { Plan } from '../rules/plan.ts';
import type { Wish } from '../rules/wish.ts';

/** A ride in the index: plain data, so that it can be sent to another thread. */
export interface RideEntry {
  id: string;
  driverId: string;
  /** Whether all users may see it; the database decides about others. */
  isPublic: boolean;
  plan: Plan;
  priceKind: 'perPerson' | 'perCar';
  costCents: number;
  joinedSeats: number;
}

/** A request in the index. */
export interface RequestEntry {
  id: string;
  passengerId: string;
  isPublic: boolean;
  wish: Wish;
  /** Per person; null leaves it open. */
  offerCents: number | null;
}

/** The person asking, and how much of the answer they need. */
export interface Asker {
  nowMs: number;
  /** People whose orders are left out: the asker, and people with a block between them and the asker. */
  hidden: readonly string[];
  /** The maximum of returned hits, the best by road, time and price; all are counted. */
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
  /** The score of road, time, walk and price; the score of people is added later. */
  score: number;
}

export interface Answer {
  /** The number of all fits: public orders, and the others. */
  publicCount: number;
  restrictedCount: number;
  /** Best first. */
  hits: Hit[];
  /** Smallest change first. */
  nearMisses: { hit: Hit; miss: NearMiss }[];
  /** How many orders were left after the bounds, for measurement. */
  survivors: number;
}

/** The verdict on one pair of a list: its fit, or null. */
export type Verdict = Pick<Hit, 'choice' | 'fareCents'> | null;

/** `unknown` where a request was named by a key that is not in the cache. */
export type PairVerdict = Verdict | 'unknown';
