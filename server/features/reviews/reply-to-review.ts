import type { Review } from '#contract/reviews/endpoints.ts';
import { movedOn } from '../../platform/refusal.ts';
import { reviewNotFound, type ReviewContext } from './context.ts';
import * as store from './store.ts';
import { viewReviews } from './view.ts';

/**
 * Stores the reviewed person's reply to a public review, once. Refuses `review.notFound`, `review.replied`.
 */
export async function replyToReview(
  context: ReviewContext,
  subjectId: string,
  reviewId: string,
  words: string,
): Promise<Review> {
  const { db, transact, clock, outbox } = context.platform;
  const review = await store.publicReview(db, reviewId, subjectId);
  if (review === null || review.subjectId !== subjectId) throw reviewNotFound();
  const row = await transact(async (tx) => {
    const replied = await store.keepReply(tx, reviewId, subjectId, { reply: words, repliedAt: clock.now() });
    if (replied === null) throw movedOn('review.replied', 'You already replied to this review.');
    const { authorId, rideId } = replied;
    await outbox.tell(tx, [authorId], { topic: 'review', id: rideId, news: null });
    return replied;
  });
  return (await viewReviews(context, [row], subjectId))[0]!;
}
