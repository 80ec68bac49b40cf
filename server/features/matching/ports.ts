import type { SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import type { RegionPart } from '../../platform/process-roles.ts';
import type { bookings, requests, rides } from '../../schema/rides.ts';
import type { PlanStop } from './rules/plan.ts';

export type RideRow = typeof rides.$inferSelect;
export type RequestRow = typeof requests.$inferSelect;
export type BookingRow = typeof bookings.$inferSelect;

/**
 * A stop of an agreed plan, with its passenger's time window and walk; nulls where it serves no passenger.
 */
export interface StopWithWindow extends Omit<PlanStop, 'earliestMs' | 'latestMs'> {
  rideId: string;
  earliestAt: Date | null;
  latestAt: Date | null;
  arriveBy: Date | null;
  pickupWalkMs: number | null;
  dropoffWalkMs: number | null;
}

interface Owned {
  id: string;
  personId: string;
}

/** Open orders, with the agreed stops of the rides in order, and the seats joined so far, by ride. */
interface OpenOrders {
  rides: RideRow[];
  requests: RequestRow[];
  stops: StopWithWindow[];
  joined: ReadonlyMap<string, number>;
}

/** What matching asks of orders, a feature above it. */
export interface MatchingPorts {
  ridesByIds(db: Db, ids: readonly string[]): Promise<RideRow[]>;
  requestsByIds(db: Db, ids: readonly string[]): Promise<RequestRow[]>;
  /** The open ones among some orders, of an array of ids, as a scalar of JSON for `openFromJson`. */
  openAsJson(ids: SQL): SQL;
  openFromJson(json: unknown, part?: RegionPart): OpenOrders;
  /** The open rides after an id, ordered by id. */
  openRidesAfter(db: Db, id: string, most: number, part?: RegionPart): Promise<RideRow[]>;
  openRequestsAfter(db: Db, id: string, most: number, part?: RegionPart): Promise<RequestRow[]>;
  /** The agreed stops of rides, in order for each ride. */
  stopsWithWindows(db: Db, rideIds: readonly string[]): Promise<StopWithWindow[]>;
  /** Seats joined so far, by ride. */
  joinedSeats(db: Db, rideIds: readonly string[]): Promise<Map<string, number>>;
  /**
   * The rides that a passenger may see, and whose driver may see the passenger's request; with their drivers.
   */
  visibleRides(
    db: Db,
    of: {
      rideIds: readonly string[];
      passengerId: string | null;
      requestId: string | null;
      women: boolean;
      now: Date;
    },
  ): Promise<Owned[]>;
  /** The requests whose audience and the ride's include each other's owners; with their passengers. */
  visibleRequests(db: Db, of: { ride: RideRow; requestIds: readonly string[]; now: Date }): Promise<Owned[]>;
  /** The pairs whose ride the request's passenger may see and still join, with the rides' drivers. */
  pairsToOffer(
    db: Db,
    pairs: readonly { rideId: string; requestId: string }[],
    now: Date,
  ): Promise<{ rideId: string; requestId: string; personId: string }[]>;
  /** All pairs of some rides and requests whose owners differ and may see each other's. */
  pairsInSight(
    db: Db,
    rideIds: readonly string[],
    requestIds: readonly string[],
  ): Promise<{ rideId: string; requestId: string }[]>;
  /** People's answers so far, by person: drivers to asks, passengers to invitations. */
  answersOf(
    db: Db,
    side: 'driver' | 'passenger',
    ids: readonly string[],
  ): Promise<Map<string, { asked: number; accepted: number }>>;
}
