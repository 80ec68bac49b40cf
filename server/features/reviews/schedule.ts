import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { publishOverdue } from './reviews.ts';
import { isAnyOverdue } from './store.ts';

export const scheduleReviews = (app: App): Schedule => ({
  tasks: [{ name: 'reviews', everyMs: secondMs, isDue: isAnyOverdue, run: () => publishOverdue(app) }],
});
