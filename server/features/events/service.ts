import type { App } from '../../app-type.ts';
import { erasure as calendarErasure } from './calendar/store.ts';
import { createEventPlans } from './plan/service.ts';
import { erasure as planErasure } from './plan/store.ts';

export { canTravelTo } from './calendar/find-event.ts';
export { eventBehindLink, listPublicIds } from './calendar/read-events.ts';
export { pathBehindShortCode } from './calendar/short-link.ts';
export { eventNames, insertEvents } from './calendar/store.ts';

export type EventsService = ReturnType<typeof createEvents>;

/** The plan of who rides with whom to events. */
export function createEvents(platform: App) {
  return { plan: createEventPlans(platform) };
}

export const erasure = { ...calendarErasure, ...planErasure };
