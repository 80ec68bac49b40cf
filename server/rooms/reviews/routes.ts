import { createReview, listReviews, pendingReviews } from '#contract/reviews/endpoints.ts';
import type { Serve } from '../../base/http.ts';
import type { ReviewsService } from './service.ts';

export function serveReviews(serve: Serve, reviews: ReviewsService): void {
  serve(listReviews, (input, caller) => reviews.list(caller.userId, input));
  serve(pendingReviews, (_input, caller) => reviews.pending(caller.userId));
  serve(createReview, (input, caller) => reviews.create(caller.userId, input));
}
