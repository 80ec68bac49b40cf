export { createErasePerson } from './erase-person.ts';
export { erasure } from './exports/store.ts';
export { openPrivacy } from './state.ts';
