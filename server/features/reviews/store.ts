import { and, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { neitherBlocked } from '../../schema/audience.ts';
import { personReports } from '../../schema/contacts.ts';
import { reviews } from '../../schema/reviews.ts';
import { bookings, rides } from '../../schema/rides.ts';

export type ReviewRow = typeof reviews.$inferSelect;

export async function insertReview(tx: Db, row: typeof reviews.$inferInsert): Promise<ReviewRow> {
  return (await tx.insert(reviews).values(row).returning())[0]!;
}

/** Publishes both reviews of a booking once both stand; returns those that became public by this. */
export async function publishPair(tx: Db, bookingId: string, now: Date): Promise<ReviewRow[]> {
  return tx
    .update(reviews)
    .set({ publishedAt: now })
    .where(
      and(
        eq(reviews.bookingId, bookingId),
        isNull(reviews.publishedAt),
        sql`(select count(*) from reviews r where r.booking_id = ${bookingId}) = 2`,
      ),
    )
    .returning();
}

/** Publishes reviews of bookings that ended by `endedBy`, whether or not the other side wrote. */
export async function publishOverdue(tx: Db, endedBy: Date, now: Date): Promise<ReviewRow[]> {
  return tx
    .update(reviews)
    .set({ publishedAt: now })
    .where(
      and(
        isNull(reviews.publishedAt),
        sql`exists (select 1 from bookings b where b.id = ${reviews.bookingId} and b.ended_at <= ${endedBy.toISOString()})`,
      ),
    )
    .returning();
}

/** Published reviews, and the viewer's own. */
export async function reviewsOf(
  db: Db,
  of: { userId?: string | undefined; rideId?: string | undefined },
  viewerId: string,
): Promise<ReviewRow[]> {
  return db
    .select()
    .from(reviews)
    .where(
      and(
        of.userId === undefined ? undefined : eq(reviews.subjectId, of.userId),
        of.rideId === undefined ? undefined : eq(reviews.rideId, of.rideId),
        or(isNotNull(reviews.publishedAt), eq(reviews.authorId, viewerId)),
        neitherBlocked(reviews.subjectId, viewerId),
        neitherBlocked(reviews.authorId, viewerId),
      ),
    )
    .orderBy(desc(reviews.createdAt))
    .limit(100);
}

/** A public review that the viewer may see. */
export async function publicReview(db: Db, id: string, viewerId: string): Promise<ReviewRow | null> {
  const [row] = await db
    .select()
    .from(reviews)
    .where(
      and(
        eq(reviews.id, id),
        isNotNull(reviews.publishedAt),
        neitherBlocked(reviews.subjectId, viewerId),
        neitherBlocked(reviews.authorId, viewerId),
      ),
    );
  return row ?? null;
}

/** Keeps the answer to a public review by the person it is about; null where there is one already. */
export async function keepReply(
  tx: Db,
  id: string,
  subjectId: string,
  set: { reply: string; repliedAt: Date },
): Promise<ReviewRow | null> {
  const [row] = await tx
    .update(reviews)
    .set(set)
    .where(
      and(
        eq(reviews.id, id),
        eq(reviews.subjectId, subjectId),
        isNotNull(reviews.publishedAt),
        isNull(reviews.repliedAt),
      ),
    )
    .returning();
  return row ?? null;
}

/** Those of the reviews that a person has reported. */
export async function reportedBy(db: Db, personId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ reviewId: personReports.reviewId })
    .from(personReports)
    .where(and(eq(personReports.reporterId, personId), inArray(personReports.reviewId, [...ids])));
  return new Set(rows.flatMap(({ reviewId }) => reviewId ?? []));
}

/** Whether the viewer rode in a ride, as its driver or as a passenger. */
export async function rodeIn(db: Db, rideId: string, viewerId: string): Promise<boolean> {
  return (
    (await db.$count(
      bookings,
      and(
        eq(bookings.rideId, rideId),
        eq(bookings.state, 'finished'),
        or(eq(bookings.driverId, viewerId), eq(bookings.passengerId, viewerId)),
      ),
    )) > 0
  );
}

/** Finished bookings of a person, ended after `since`, that they have not reviewed. */
export async function unreviewed(db: Db, personId: string, since: Date, now: Date) {
  return db
    .select({ booking: bookings, ride: rides })
    .from(bookings)
    .innerJoin(rides, eq(rides.id, bookings.rideId))
    .where(
      and(
        eq(bookings.state, 'finished'),
        lte(bookings.endedAt, now),
        sql`${bookings.endedAt} > ${since.toISOString()}`,
        or(eq(bookings.driverId, personId), eq(bookings.passengerId, personId)),
        sql`not exists (select 1 from reviews r where r.booking_id = ${bookings.id} and r.author_id = ${personId})`,
      ),
    )
    .orderBy(desc(bookings.endedAt))
    .limit(50);
}

export const erasure = {
  reviews: async (tx, personId) => {
    await tx.update(reviews).set({ words: '', tags: [] }).where(eq(reviews.authorId, personId));
    await tx.delete(reviews).where(eq(reviews.subjectId, personId));
  },
} satisfies Erasure;
