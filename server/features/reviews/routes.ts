import * as calls from '#contract/reviews/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { listReviews, listPending, replyToReview, reportReview, writeReview } from './reviews.ts';

export function serveReviews(serve: Serve): void {
  serve(calls.listReviews, (app, input, caller) => listReviews(app, caller.userId, input));
  serve(calls.pendingReviews, (app, _input, caller) => listPending(app, caller.userId));
  serve(calls.replyToReview, (app, input, caller) =>
    replyToReview(app, caller.userId, input.reviewId, input.words),
  );
  serve(calls.reportReview, (app, input, caller) =>
    reportReview(app, caller.userId, input.reviewId, input.reason),
  );
  serve(calls.createReview, (app, input, caller) => writeReview(app, caller.userId, input));
}
