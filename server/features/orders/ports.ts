import type { Db } from '../../platform/database/db.ts';

/** Questions of orders to the features above them: events, reviews, the chat and notifications. */
export interface OrderPorts {
  /** True if the event exists and this person may see it. */
  canTravelTo(eventId: string, personId: string): Promise<boolean>;
  /** The names of events by id; those that the viewer may not see are left out. */
  eventNames(ids: readonly string[], viewerId: string | null): Promise<Map<string, string>>;
  /** Those of some bookings that a person has already reviewed. */
  reviewedBy(db: Db, authorId: string, bookingIds: readonly string[]): Promise<Set<string>>;
  /** When a person first wrote in a ride's room since an instant; null where they have not. */
  wroteAt(db: Db, of: { rideId: string; personId: string; since: Date }): Promise<Date | null>;
  /**
   * True while a question has not reached its person and is still meant to: its message waits in a queue or
   * for the end of quiet hours, and the open app has not shown it.
   */
  isOnItsWay(db: Db, of: { bookingId: string; personId: string; since: Date }): Promise<boolean>;
}
