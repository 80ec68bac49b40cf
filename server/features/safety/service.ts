export { erasure } from './store.ts';
