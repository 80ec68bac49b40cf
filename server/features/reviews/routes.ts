import * as calls from '#contract/reviews/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { listReviews, listPending } from './list-reviews.ts';
import { replyToReview } from './reply-to-review.ts';
import { reportReview } from './report-review.ts';
import { writeReview } from './write-review.ts';

export function serveReviews(serve: Serve, app: App): void {
  serve(calls.listReviews, (input, caller) => listReviews(app, caller.userId, input));
  serve(calls.pendingReviews, (_input, caller) => listPending(app, caller.userId));
  serve(calls.replyToReview, (input, caller) =>
    replyToReview(app, caller.userId, input.reviewId, input.words),
  );
  serve(calls.reportReview, (input, caller) =>
    reportReview(app, caller.userId, input.reviewId, input.reason),
  );
  serve(calls.createReview, (input, caller) => writeReview(app, caller.userId, input));
}
