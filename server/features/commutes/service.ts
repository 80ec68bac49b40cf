export { openCommutes } from './state.ts';
export { erasure } from './store.ts';
