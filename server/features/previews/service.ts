export { openPreviews } from './state.ts';
