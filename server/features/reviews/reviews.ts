import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { InputOf, OutputOf } from '#contract/define.ts';
import type {
  createReview,
  Review,
  listReviews as listCall,
  pendingReviews,
} from '#contract/reviews/endpoints.ts';
import type { Place } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import { later, dayMs } from '../../platform/clock.ts';
import { inSavepoint, brokenConstraint, type Db } from '../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../platform/refusal.ts';
import { reviewsReportedBy } from '../contacts/queries.ts';
import { keepReport } from '../contacts/service.ts';
import { approximatePlace } from '../geo/service.ts';
import { countStars, peopleByIds } from '../identity/service.ts';
import { rodeIn } from '../orders/bookings/queries.ts';
import { ownBooking, queueOnRide, fromOf, toOf } from '../orders/service.ts';
import * as store from './store.ts';

/**
 * Writes a review of the other side, once. Refuses `booking.notFound`, `review.exists`, and `review.closed`
 * after 14 days and before the ride has ended.
 */
export async function writeReview(
  app: App,
  authorId: string,
  input: Required<InputOf<typeof createReview>>,
): Promise<Review> {
  const { booking, side } = await ownBooking(app, input.bookingId, authorId);
  const now = app.clock.now();
  const closesAt = later(booking.endedAt ?? now, windowMs);
  if (booking.state !== 'finished' || booking.endedAt === null || now >= closesAt)
    throw movedOn('review.closed', 'You can review a ride for 14 days after it ends.');
  const subjectId = side === 'driver' ? booking.passengerId : booking.driverId;
  const row = await app.transact('write review', async (tx) => {
    // Serializes two sides that write at once, so that the second one publishes the pair.
    await queueOnRide(tx, booking.rideId);
    const { bookingId, stars, tags, words } = input;
    const review = await insertOnce(tx, {
      id: randomUUID(),
      bookingId,
      rideId: booking.rideId,
      authorId,
      subjectId,
      stars,
      tags: [...new Set(tags)],
      words,
      createdAt: now,
      publishAt: closesAt,
    });
    const published = await store.publishPair(tx, bookingId, now);
    await countPublished(app, tx, published);
    return published.find(({ id }) => id === review.id) ?? review;
  });
  return (await viewReviews(app, [row], authorId))[0]!;
}

/** Refuses `review.exists`; in a savepoint, so that the caller's transaction stays usable. */
const insertOnce = (tx: Db, row: Parameters<typeof store.insertReview>[1]): Promise<store.ReviewRow> =>
  inSavepoint(tx, (inner) => store.insertReview(inner, row)).catch((error: unknown) => {
    if (brokenConstraint(error) !== 'reviews_booking_author') throw error;
    throw movedOn('review.exists', 'You already reviewed this ride.');
  });

/**
 * Stores the reviewed person's reply to a public review, once. Refuses `review.notFound`, `review.replied`.
 */
export async function replyToReview(
  app: App,
  subjectId: string,
  reviewId: string,
  words: string,
): Promise<Review> {
  const { db, transact, clock, outbox } = app;
  const review = await store.publicReview(db, reviewId, subjectId);
  if (review === null || review.subjectId !== subjectId) throw reviewNotFound();
  const row = await transact('reply to review', async (tx) => {
    const replied = await store.keepReply(tx, reviewId, subjectId, { reply: words, repliedAt: clock.now() });
    if (replied === null) throw movedOn('review.replied', 'You already replied to this review.');
    const { authorId, rideId } = replied;
    await outbox.tell(tx, [authorId], { topic: 'review', id: rideId, news: null });
    return replied;
  });
  return (await viewReviews(app, [row], subjectId))[0]!;
}

/**
 * Reports a public review to the admins, once per person. Refuses `review.notFound`, also for one's own, and
 * `review.reported`.
 */
export async function reportReview(
  app: App,
  reporterId: string,
  reviewId: string,
  reason: string,
): Promise<Review> {
  const { db, transact, clock } = app;
  const review = await store.publicReview(db, reviewId, reporterId);
  if (review === null || review.authorId === reporterId) throw reviewNotFound();
  await transact('report review', async (tx) => {
    const isNew = await keepReport(app, tx, {
      id: randomUUID(),
      reporterId,
      subjectId: review.authorId,
      reason: 'other',
      words: reason,
      reviewId,
      quote: [`${review.stars} ★`, review.words].filter(Boolean).join(' '),
      createdAt: clock.now(),
    });
    if (!isNew) throw movedOn('review.reported', 'You already reported this review.');
  });
  return (await viewReviews(app, [review], reporterId))[0]!;
}

/** Publishes reviews whose window has closed. */
export async function publishOverdue(app: App): Promise<void> {
  const { clock, transact } = app;
  const now = clock.now();
  for (let isMore = true; isMore;)
    isMore = await transact('publish overdue', async (tx) => {
      const published = await store.publishOverdue(tx, now);
      await countPublished(app, tx, published);
      return published.length === store.mostAtOnce;
    });
}

/** Counts the stars of newly published reviews, and emits a signal for each. */
async function countPublished({ outbox }: App, tx: Db, published: readonly store.ReviewRow[]): Promise<void> {
  for (const { id, rideId, authorId, subjectId, stars } of published) {
    await countStars(tx, subjectId, stars);
    await outbox.emit(tx, 'review.written', { reviewId: id, rideId, authorId, subjectId }, rideId);
  }
}

/** How long after a ride its people may review each other. */
const windowMs = 14 * dayMs;

const reviewNotFound = () => notFound('review.notFound', 'We couldn’t find this review.');

const pageSize = 50;

/** Published reviews about a person, or of a ride that the viewer rode in. Refuses `review.ofWhat`. */
export async function listReviews(
  app: App,
  viewerId: string,
  { offset, ...of }: z.output<(typeof listCall)['input']>,
): Promise<OutputOf<typeof listCall>> {
  const { db } = app;
  if (of.userId === undefined && of.rideId === undefined)
    throw refuseField('review.ofWhat', 'userId', 'Please select a person or a ride.');
  if (of.rideId !== undefined && !(await rodeIn(db, of.rideId, viewerId))) return { reviews: [], total: 0 };
  const { rows, total } = await store.reviewsOf(db, of, viewerId, { offset, size: pageSize });
  return { reviews: await viewReviews(app, rows, viewerId), total };
}

/** Reviews the person may still write, the latest ride first. */
export async function listPending(app: App, personId: string): Promise<OutputOf<typeof pendingReviews>> {
  const now = app.clock.now();
  const rows = await store.unreviewed(app.db, personId, later(now, -windowMs), now);
  const subjectOf = ({ booking }: (typeof rows)[number]) =>
    booking.driverId === personId ? booking.passengerId : booking.driverId;
  const people = await peopleByIds(app, [...new Set(rows.map(subjectOf))]);
  return {
    pending: rows.flatMap((row) => {
      const subject = people.get(subjectOf(row));
      const { booking, ride } = row;
      // After two weeks, only the driver sees the exact places.
      const nameOf = (place: Place) =>
        booking.driverId === personId ? place.name : approximatePlace(app, place).name;
      if (subject === undefined) return [];
      return [
        {
          bookingId: booking.id,
          rideId: ride.id,
          subject,
          from: nameOf(fromOf(ride)),
          to: nameOf(toOf(ride)),
          departsAt: ride.departsAt.toISOString(),
          timeZone: ride.timeZone,
          until: later(booking.endedAt!, windowMs).toISOString(),
        },
      ];
    }),
  };
}

/** Reviews as the viewer may see them; leaves out those of people whose account is gone. */
async function viewReviews(app: App, rows: readonly store.ReviewRow[], viewerId: string): Promise<Review[]> {
  const [people, reported] = await Promise.all([
    peopleByIds(app, [...new Set(rows.flatMap((row) => [row.authorId, row.subjectId]))]),
    reviewsReportedBy(
      app.db,
      viewerId,
      rows.map(({ id }) => id),
    ),
  ]);
  return rows.flatMap((row) => {
    const [author, subject] = [people.get(row.authorId), people.get(row.subjectId)];
    if (author === undefined || subject === undefined) return [];
    return [
      {
        id: row.id,
        rideId: row.rideId,
        author,
        subject,
        stars: row.stars,
        tags: row.tags as Review['tags'],
        words: row.words,
        reply: row.reply,
        mayReply: row.publishedAt !== null && row.repliedAt === null && row.subjectId === viewerId,
        mayReport: row.publishedAt !== null && row.authorId !== viewerId && !reported.has(row.id),
        at: row.createdAt.toISOString(),
        published: row.publishedAt !== null,
      },
    ];
  });
}
