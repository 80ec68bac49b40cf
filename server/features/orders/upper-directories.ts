import type { Db } from '../../platform/database/db.ts';

/** What orders read from reviews, a feature above them: `server/app.ts` passes it in. */
export interface ReviewDirectory {
  /** Those of some bookings that a person has already reviewed. */
  reviewedBy(db: Db, authorId: string, bookingIds: readonly string[]): Promise<Set<string>>;
}

/** What orders read from the chat, likewise. */
export interface ChatDirectory {
  /** When a person first wrote in a ride's room since an instant; null where they have not. */
  wroteAt(db: Db, of: { rideId: string; personId: string; since: Date }): Promise<Date | null>;
}
