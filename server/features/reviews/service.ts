export { publishOverdue, writeReview } from './reviews.ts';
export { erasure } from './store.ts';
