export { publishOverdue, writeReview } from './write-review.ts';
export { erasure } from './store.ts';
