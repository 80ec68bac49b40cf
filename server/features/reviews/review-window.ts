import { dayMs } from '../../platform/clock.ts';
import { notFound } from '../../platform/refusal.ts';

/** How long after a ride its people may review each other. */
export const windowMs = 14 * dayMs;

export const reviewNotFound = () => notFound('review.notFound', 'We couldn’t find this review.');
