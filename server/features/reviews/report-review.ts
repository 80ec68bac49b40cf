import { randomUUID } from 'node:crypto';
import type { Review } from '#contract/reviews/endpoints.ts';
import type { App } from '../../app-type.ts';
import { movedOn } from '../../platform/refusal.ts';
import { keepReport } from '../contacts/service.ts';
import { reviewNotFound } from './review-window.ts';
import * as store from './store.ts';
import { viewReviews } from './view.ts';

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
