export { arrive, depart } from './depart-and-arrive.ts';
export { confirmMeeting, pickUp } from './pickup.ts';
export { whereIsCar } from './positions.ts';
export { reach } from './reach.ts';
export { openTrips } from './state.ts';
export { erasure } from './store.ts';
