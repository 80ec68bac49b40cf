import type { App } from '../../app-type.ts';
import type { MatchingService } from '../matching/service.ts';
import type { OrdersService } from '../orders/service.ts';
import type { EventCalendar } from './calendar/service.ts';
import { erasure as calendarErasure } from './calendar/store.ts';
import { createEventPlans } from './plan/service.ts';
import { erasure as planErasure } from './plan/store.ts';

export type EventsService = ReturnType<typeof createEvents>;

/**
 * Events that people drive to together, and the plan of who rides with whom.
 * @param features.calendar created before orders, which read from it the events they lead to.
 */
export function createEvents(
  platform: App,
  {
    calendar,
    matching,
    orders,
  }: { calendar: EventCalendar; matching: MatchingService; orders: OrdersService },
) {
  const plan = createEventPlans(platform, { events: calendar, matching, orders });
  return { calendar, plan, erasure: { ...calendarErasure, ...planErasure } };
}
