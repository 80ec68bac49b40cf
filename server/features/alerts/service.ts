export { createAlert } from './save-alert.ts';
export { erasure } from './store.ts';
