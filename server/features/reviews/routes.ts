import {
  createReview,
  listReviews,
  pendingReviews,
  replyToReview,
  reportReview,
} from '#contract/reviews/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { ReviewsService } from './service.ts';

export function serveReviews(serve: Serve, reviews: ReviewsService): void {
  serve(listReviews, (input, caller) => reviews.list(caller.userId, input));
  serve(pendingReviews, (_input, caller) => reviews.pending(caller.userId));
  serve(replyToReview, (input, caller) => reviews.reply(caller.userId, input.reviewId, input.words));
  serve(reportReview, (input, caller) => reviews.report(caller.userId, input.reviewId, input.reason));
  serve(createReview, (input, caller) => reviews.create(caller.userId, input));
}
