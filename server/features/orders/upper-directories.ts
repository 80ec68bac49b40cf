import type { Db } from '../../platform/database/db.ts';

/** What orders ask of reviews, which stand above them: `server/app.ts` hands it in. */
export interface ReviewDirectory {
  /** Those of some bookings that a person has reviewed already. */
  reviewedBy(db: Db, authorId: string, bookingIds: readonly string[]): Promise<Set<string>>;
}

/** What orders ask of the chat, as above. */
export interface ChatDirectory {
  /** When a person first wrote in a ride's room since an instant; null where they have not. */
  wroteAt(db: Db, of: { rideId: string; personId: string; since: Date }): Promise<Date | null>;
}
