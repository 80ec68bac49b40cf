import { LRUCache } from 'lru-cache';

const mostPlans = 30;

/** The part of matching's assignment that a plan uses, for one direction: ids of rides and requests. */
export interface DirectionPlan {
  assigned: { rideId: string; requestId: string; pickupAt: Date; dropoffAt: Date }[];
  /** Places that were proposed, and whose people may not or cannot ride together any more. */
  lost: { rideId: string; requestId: string }[];
  /** Requests that no ride serves. */
  left: string[];
  rides: Map<
    string,
    { departsMs: number; arrivesMs: number; driveMs: number; extraMs: number; seatsLeft: number }
  >;
}

/** State of this feature that lives as long as the process. */
export interface EventsState {
  /** The assignments of recently planned events, with the input that they were computed from, as JSON. */
  assignments: LRUCache<string, { state: string; plans: Promise<DirectionPlan[]> }>;
}

export const openEvents = (): EventsState => ({ assignments: new LRUCache({ max: mostPlans }) });
