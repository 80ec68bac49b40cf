import { erasure as calendarErasure } from './calendar/store.ts';
import { erasure as planErasure } from './plan/store.ts';

export { canTravelTo, pathBehindShortCode, eventBehindLink, listPublicIds } from './calendar/read-events.ts';
export { eventNames, insertEvents } from './calendar/store.ts';
export { openEvents } from './state.ts';

export const erasure = { ...calendarErasure, ...planErasure };
