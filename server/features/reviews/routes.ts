import * as calls from '#contract/reviews/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { ReviewsService } from './service.ts';

export function serveReviews(serve: Serve, reviews: ReviewsService): void {
  serve(calls.listReviews, (input, caller) => reviews.list(caller.userId, input));
  serve(calls.pendingReviews, (_input, caller) => reviews.pending(caller.userId));
  serve(calls.replyToReview, (input, caller) => reviews.reply(caller.userId, input.reviewId, input.words));
  serve(calls.reportReview, (input, caller) => reviews.report(caller.userId, input.reviewId, input.reason));
  serve(calls.createReview, (input, caller) => reviews.create(caller.userId, input));
}
