import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { reviews } from '../../schema/reviews.ts';

/** The ids of these bookings that a person has already reviewed. */
export async function reviewedBy(
  db: Db,
  authorId: string,
  bookingIds: readonly string[],
): Promise<Set<string>> {
  if (bookingIds.length === 0) return new Set();
  const rows = await db
    .select({ id: reviews.bookingId })
    .from(reviews)
    .where(and(eq(reviews.authorId, authorId), inArray(reviews.bookingId, [...bookingIds])));
  return new Set(rows.map((row) => row.id));
}
