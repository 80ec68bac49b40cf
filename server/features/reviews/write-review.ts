import { randomUUID } from 'node:crypto';
import type { InputOf } from '#contract/define.ts';
import type { createReview, Review } from '#contract/reviews/endpoints.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { inSavepoint, brokenConstraint, type Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import { ownBooking, queueOnRide } from '../orders/service.ts';
import { countPublished } from './publish-reviews.ts';
import { windowMs } from './review-window.ts';
import * as store from './store.ts';
import { viewReviews } from './view.ts';

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
