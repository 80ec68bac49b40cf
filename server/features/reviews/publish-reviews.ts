import type { Db } from '../../platform/database/db.ts';
import type { ReviewContext } from './context.ts';
import * as store from './store.ts';
import { countStars } from '../identity/service.ts';

/** Publishes reviews whose window has closed. */
export async function publishOverdue(context: ReviewContext): Promise<void> {
  const { clock, transact } = context.platform;
  const now = clock.now();
  for (let isMore = true; isMore;)
    isMore = await transact(async (tx) => {
      const published = await store.publishOverdue(tx, now);
      await countPublished(context, tx, published);
      return published.length === store.mostAtOnce;
    });
}

/** Counts the stars of newly published reviews, and emits a signal for each. */
export async function countPublished(
  { platform: { outbox } }: ReviewContext,
  tx: Db,
  published: readonly store.ReviewRow[],
): Promise<void> {
  for (const { id, rideId, authorId, subjectId, stars } of published) {
    await countStars(tx, subjectId, stars);
    await outbox.emit(tx, 'review.written', { reviewId: id, rideId, authorId, subjectId }, rideId);
  }
}
