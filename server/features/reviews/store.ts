import { and, desc, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import { pageOfRows } from '../../platform/database/count-up-to.ts';
import type { Db } from '../../platform/database/db.ts';
import { firstRow } from '../../platform/database/one-row.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { reviews } from '../../schema/reviews.ts';
import { neitherBlocked } from '../contacts/queries.ts';
import { finishedBookingsOf } from '../orders/bookings/queries.ts';

export type ReviewRow = typeof reviews.$inferSelect;

/** Maximum reviews published in one transaction. */
export const mostAtOnce = 100;

export async function insertReview(tx: Db, row: typeof reviews.$inferInsert): Promise<ReviewRow> {
  return (await tx.insert(reviews).values(row).returning())[0]!;
}

/** Publishes both reviews of a booking once both exist. @returns those that became public. */
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

const overdue = (now: Date): SQL =>
  sql`from reviews where published_at is null and publish_at <= ${now.toISOString()}`;

export const isAnyOverdue = (now: Date): SQL => sql`exists (select ${overdue(now)})`;

/** Publishes a page of reviews whose window has closed, whether or not the other side wrote. */
export async function publishOverdue(tx: Db, now: Date): Promise<ReviewRow[]> {
  const due = sql`select id ${overdue(now)}
    order by publish_at limit ${mostAtOnce} for update skip locked`;
  return tx
    .update(reviews)
    .set({ publishedAt: now })
    .where(sql`${reviews.id} in (${due})`)
    .returning();
}

/** A page of published reviews and the viewer's own, the newest first, and how many there are. */
export async function reviewsOf(
  db: Db,
  of: { userId?: string | undefined; rideId?: string | undefined },
  viewerId: string,
  page: { offset: number; size: number },
): Promise<{ rows: ReviewRow[]; total: number }> {
  const where = and(
    of.userId === undefined ? undefined : eq(reviews.subjectId, of.userId),
    of.rideId === undefined ? undefined : eq(reviews.rideId, of.rideId),
    or(isNotNull(reviews.publishedAt), eq(reviews.authorId, viewerId)),
    neitherBlocked(reviews.subjectId, viewerId),
    neitherBlocked(reviews.authorId, viewerId),
  );
  return pageOfRows(db, reviews, { where, order: [desc(reviews.createdAt), desc(reviews.id)] }, page);
}

/** A public review that the viewer may see. */
export const publicReview = (db: Db, id: string, viewerId: string): Promise<ReviewRow | null> =>
  firstRow(
    db
      .select()
      .from(reviews)
      .where(
        and(
          eq(reviews.id, id),
          isNotNull(reviews.publishedAt),
          neitherBlocked(reviews.subjectId, viewerId),
          neitherBlocked(reviews.authorId, viewerId),
        ),
      ),
  );

/** Stores the reviewed person's reply to a public review; null where there is one already. */
export const keepReply = (
  tx: Db,
  id: string,
  subjectId: string,
  set: { reply: string; repliedAt: Date },
): Promise<ReviewRow | null> =>
  firstRow(
    tx
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
      .returning(),
  );

/** Finished bookings of a person, ended after `since`, that they have not reviewed. */
export const unreviewed = (db: Db, personId: string, since: Date, now: Date) =>
  finishedBookingsOf(db, personId, {
    after: since,
    until: now,
    condition: (bookingId) =>
      sql`not exists (select 1 from reviews r where r.booking_id = ${bookingId} and r.author_id = ${personId})`,
    most: 50,
  });

export const erasure = {
  reviews: async (tx, personId) => {
    await tx.update(reviews).set({ words: '', tags: [] }).where(eq(reviews.authorId, personId));
    await tx.delete(reviews).where(eq(reviews.subjectId, personId));
  },
} satisfies Erasure;
