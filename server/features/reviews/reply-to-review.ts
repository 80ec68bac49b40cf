import type { Review } from '#contract/reviews/endpoints.ts';
import type { App } from '../../app-type.ts';
import { movedOn } from '../../platform/refusal.ts';
import { reviewNotFound } from './review-window.ts';
import * as store from './store.ts';
import { viewReviews } from './view.ts';

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
