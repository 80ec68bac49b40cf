export { createAlert } from './own-alert.ts';
export { erasure } from './store.ts';
