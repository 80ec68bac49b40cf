import type { App } from '../../app-type.ts';
import type { ReviewContext } from './context.ts';
import { listPending, listReviews } from './list-reviews.ts';
import { publishOverdue } from './publish-reviews.ts';
import { replyToReview } from './reply-to-review.ts';
import { reportReview } from './report-review.ts';
import { erasure } from './store.ts';
import { writeReview } from './write-review.ts';

export type ReviewsService = ReturnType<typeof createReviews>;

/** Reviews between driver and passenger after a ride: hidden until both wrote or 14 days have passed. */
export function createReviews(platform: App) {
  const context: ReviewContext = { platform };
  return {
    erasure,
    create: writeReview.bind(null, context),
    list: listReviews.bind(null, context),
    reply: replyToReview.bind(null, context),
    report: reportReview.bind(null, context),
    pending: listPending.bind(null, context),
    publishOverdue: publishOverdue.bind(null, context),
  };
}
