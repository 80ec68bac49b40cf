import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { ReviewsService } from './service.ts';
import { isAnyOverdue } from './store.ts';

export const scheduleReviews = (reviews: ReviewsService): Schedule => ({
  tasks: [{ name: 'reviews', everyMs: secondMs, isDue: isAnyOverdue, run: reviews.publishOverdue }],
});
