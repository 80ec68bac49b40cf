export { publishOverdue } from './publish-reviews.ts';
export { erasure } from './store.ts';
export { writeReview } from './write-review.ts';
