import { randomUUID } from 'node:crypto';
import type { InputOf, OutputOf } from '#contract/define.ts';
import type { createReview, listReviews, pendingReviews, Review } from '#contract/reviews/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { brokenConstraint, type Db } from '../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../platform/refusal.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { OrdersService } from '../orders/service.ts';
import { reviewsReportedBy } from '../contacts/queries.ts';
import { rodeIn } from '../orders/bookings/queries.ts';
import * as store from './store.ts';

export type ReviewsService = ReturnType<typeof createReviews>;

const windowMs = 14 * dayMs;
/** The same allowance as for reports of people. */

/** What people say of each other after a ride: hidden until both wrote or 14 days have passed. */
export function createReviews(
  { db, transact, clock, outbox }: Platform,
  {
    rides,
    identity,
    contacts,
  }: { rides: OrdersService; identity: IdentityService; contacts: ContactsService },
) {
  async function view(rows: readonly store.ReviewRow[], viewerId: string): Promise<Review[]> {
    const [people, reported] = await Promise.all([
      identity.people([...new Set(rows.flatMap((row) => [row.authorId, row.subjectId]))]),
      reviewsReportedBy(
        db,
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

  /** Stars count from the moment a review is public. */
  async function count(tx: Db, published: readonly store.ReviewRow[]): Promise<void> {
    for (const review of published) {
      await identity.countStars(tx, review.subjectId, review.stars);
      const { id, rideId, authorId, subjectId } = review;
      await outbox.emit(tx, 'review.written', { reviewId: id, rideId, authorId, subjectId }, rideId);
    }
  }

  return {
    erasure: store.erasure,
    /** Writes a review of the other side, once. Refuses `review.closed` after 14 days and before the ride has ended. */
    async create(authorId: string, input: Required<InputOf<typeof createReview>>): Promise<Review> {
      const { booking, side } = await rides.ownBooking(input.bookingId, authorId);
      const now = clock.now();
      if (
        booking.state !== 'finished' ||
        booking.endedAt === null ||
        now >= later(booking.endedAt, windowMs)
      ) {
        throw movedOn('review.closed', 'Reviews can be written within 14 days after the ride.');
      }
      const subjectId = side === 'driver' ? booking.passengerId : booking.driverId;
      const row = await transact(async (tx) => {
        // Two sides that write at once wait for each other here, so that one of them publishes the pair.
        await rides.lockRide(tx, booking.rideId);
        const { bookingId, stars, tags, words } = input;
        const review = await tx
          .transaction((inner) =>
            store.insertReview(inner, {
              id: randomUUID(),
              bookingId,
              rideId: booking.rideId,
              authorId,
              subjectId,
              stars,
              tags: [...new Set(tags)],
              words,
              createdAt: now,
            }),
          )
          .catch((error: unknown) => {
            if (brokenConstraint(error) !== 'reviews_booking_author') throw error;
            throw movedOn('review.exists', 'You have already written this review.');
          });
        const published = await store.publishPair(tx, bookingId, now);
        await count(tx, published);
        return published.find(({ id }) => id === review.id) ?? review;
      });
      return (await view([row], authorId))[0]!;
    },

    /** Published reviews about a person, or of a ride that the viewer rode in. */
    async list(viewerId: string, of: InputOf<typeof listReviews>): Promise<OutputOf<typeof listReviews>> {
      if (of.userId === undefined && of.rideId === undefined)
        throw refuseField('review.ofWhat', 'userId', 'Please select a person or a ride.');
      if (of.rideId !== undefined && !(await rodeIn(db, of.rideId, viewerId))) return { reviews: [] };
      return { reviews: await view(await store.reviewsOf(db, of, viewerId), viewerId) };
    },

    /** The one it is about answers a public review, once. Refuses `review.notFound`, `review.replied`. */
    async reply(subjectId: string, reviewId: string, words: string): Promise<Review> {
      const review = await store.publicReview(db, reviewId, subjectId);
      if (review === null || review.subjectId !== subjectId) throw reviewNotFound();
      const row = await transact(async (tx) => {
        const replied = await store.keepReply(tx, reviewId, subjectId, {
          reply: words,
          repliedAt: clock.now(),
        });
        if (replied === null) throw movedOn('review.replied', 'You have already replied to this review.');
        const { authorId, rideId } = replied;
        await outbox.tell(tx, [authorId], { topic: 'review', id: rideId, news: null });
        return replied;
      });
      return (await view([row], subjectId))[0]!;
    },

    /** Hands a public review to the admins, once by each person. Refuses `review.notFound`, also one's own, and `review.reported`. */
    async report(reporterId: string, reviewId: string, reason: string): Promise<Review> {
      const review = await store.publicReview(db, reviewId, reporterId);
      if (review === null || review.authorId === reporterId) throw reviewNotFound();
      await transact(async (tx) => {
        const isNew = await contacts.keepReport(tx, {
          id: randomUUID(),
          reporterId,
          subjectId: review.authorId,
          reason: 'other',
          words: reason,
          reviewId,
          quote: [`${review.stars} ★`, review.words].filter(Boolean).join(' '),
          createdAt: clock.now(),
        });
        if (!isNew) throw movedOn('review.reported', 'You have already reported this review.');
      });
      return (await view([review], reporterId))[0]!;
    },

    /** Reviews the person may still write, the latest ride first. */
    async pending(personId: string): Promise<OutputOf<typeof pendingReviews>> {
      const now = clock.now();
      const rows = await store.unreviewed(db, personId, later(now, -windowMs), now);
      const subjectOf = (row: (typeof rows)[number]) =>
        row.booking.driverId === personId ? row.booking.passengerId : row.booking.driverId;
      const people = await identity.people([...new Set(rows.map(subjectOf))]);
      return {
        pending: rows.flatMap((row) => {
          const subject = people.get(subjectOf(row));
          const { booking, ride } = row;
          if (subject === undefined) return [];
          return [
            {
              bookingId: booking.id,
              rideId: ride.id,
              subject,
              from: ride.fromName,
              to: ride.toName,
              departsAt: ride.departsAt.toISOString(),
              timeZone: ride.timeZone,
              until: later(booking.endedAt!, windowMs).toISOString(),
            },
          ];
        }),
      };
    },

    /** Makes reviews public whose window has closed. */
    async publishOverdue(): Promise<void> {
      const now = clock.now();
      await transact(async (tx) => count(tx, await store.publishOverdue(tx, later(now, -windowMs), now)));
    },
  };
}

const reviewNotFound = () => notFound('review.notFound', 'This review could not be found.');
