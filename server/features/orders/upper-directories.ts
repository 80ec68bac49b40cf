import type { Db } from '../../platform/database/db.ts';

/** Orders' reads from reviews, a feature above them: `server/app.ts` passes it in. */
export interface ReviewDirectory {
  /** Those of some bookings that a person has already reviewed. */
  reviewedBy(db: Db, authorId: string, bookingIds: readonly string[]): Promise<Set<string>>;
}

/** The part of notifications that orders read, likewise. */
export interface MessageDirectory {
  /**
   * True while a question has not reached its person and is still meant to: its message waits in a queue or
   * for the end of quiet hours, and the open app has not shown it.
   */
  isOnItsWay(db: Db, of: { bookingId: string; personId: string; since: Date }): Promise<boolean>;
}

/** Orders' reads from the chat, likewise. */
export interface ChatDirectory {
  /** When a person first wrote in a ride's room since an instant; null where they have not. */
  wroteAt(db: Db, of: { rideId: string; personId: string; since: Date }): Promise<Date | null>;
}
