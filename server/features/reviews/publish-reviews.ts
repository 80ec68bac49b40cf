import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { windowMs, type ReviewContext } from './context.ts';
import * as store from './store.ts';

/** Publishes reviews whose window has closed. */
export async function publishOverdue(context: ReviewContext): Promise<void> {
  const { clock, transact } = context.platform;
  const now = clock.now();
  await transact(async (tx) =>
    countPublished(context, tx, await store.publishOverdue(tx, later(now, -windowMs), now)),
  );
}

/** Counts the stars of newly published reviews, and emits a signal for each. */
export async function countPublished(
  { identity, platform: { outbox } }: ReviewContext,
  tx: Db,
  published: readonly store.ReviewRow[],
): Promise<void> {
  for (const { id, rideId, authorId, subjectId, stars } of published) {
    await identity.countStars(tx, subjectId, stars);
    await outbox.emit(tx, 'review.written', { reviewId: id, rideId, authorId, subjectId }, rideId);
  }
}
