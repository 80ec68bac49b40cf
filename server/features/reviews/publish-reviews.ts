import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { countStars } from '../identity/service.ts';
import * as store from './store.ts';

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
export async function countPublished(
  { outbox }: App,
  tx: Db,
  published: readonly store.ReviewRow[],
): Promise<void> {
  for (const { id, rideId, authorId, subjectId, stars } of published) {
    await countStars(tx, subjectId, stars);
    await outbox.emit(tx, 'review.written', { reviewId: id, rideId, authorId, subjectId }, rideId);
  }
}
