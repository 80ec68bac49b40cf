export { erasure } from './erasure.ts';
