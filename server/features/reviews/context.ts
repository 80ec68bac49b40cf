import type { App } from '../../app-type.ts';
import { dayMs } from '../../platform/clock.ts';
import { notFound } from '../../platform/refusal.ts';

/** What the commands about reviews use. */
export interface ReviewContext {
  platform: App;
}

/** How long after a ride its people may review each other. */
export const windowMs = 14 * dayMs;

export const reviewNotFound = () => notFound('review.notFound', 'We couldn’t find this review.');
