import type { EventEntry } from '#contract/events/endpoints.ts';
import { wayOf } from '#contract/events/plan.ts';
import type { Platform } from '../../../platform/platform.ts';
import { eventRequestsInSight, eventRidesInSight } from '../../orders/audience/queries.ts';
import { eventOfOrder } from '../../orders/events/queries.ts';
import type { BookingsService } from '../../orders/service.ts';
import type { EventCalendar } from '../calendar/service.ts';
import type { MatchingService } from '../../matching/service.ts';
import type { OrdersService } from '../../orders/service.ts';
import { createPlanAnswers } from './plan-answers.ts';
import { createPlanBookings } from './plan-bookings.ts';
import { createEventPlan } from './event-plan.ts';

export type EventPlansService = ReturnType<typeof createEventPlans>;

/** Getting to an event together: who drives and who needs a seat, and the organizer's plan of who rides with whom. */
export function createEventPlans(
  platform: Platform,
  features: {
    events: EventCalendar;
    matching: MatchingService;
    rides: OrdersService;
    bookings: BookingsService;
  },
) {
  const { db, clock } = platform;
  const { events, rides } = features;

  return {
    ...createPlanBookings(features),
    ...createEventPlan(platform, features),
    ...createPlanAnswers(platform, features),

    /** Seats offered and needed, order by order, as far as this person may see them. Refuses `event.notFound`. */
    async entries(id: string, viewerId: string | null, token: string): Promise<EventEntry[]> {
      const event = await events.seen(id, viewerId, token);
      const of = { eventId: id, viewerId, now: clock.now() };
      const [rideViews, requestViews] = await Promise.all([
        eventRidesInSight(db, of).then((rows) => rides.rideViews(rows, viewerId)),
        eventRequestsInSight(db, of).then((rows) => rides.requestViews(rows, viewerId)),
      ]);
      const at = { lon: event.atLon, lat: event.atLat };
      return [...rideViews, ...requestViews].map((view) => {
        const way = wayOf(at, view);
        const isRide = view.role === 'driver';
        return {
          orderId: view.id,
          role: view.role,
          way,
          person: isRide ? view.driver : view.passenger,
          place: way === 'there' ? view.from : view.to,
          at: isRide ? view.departsAt : view.earliestAt,
          timeZone: view.timeZone,
          seats: isRide ? view.seatsFree : view.seats,
          mine: view.mine,
        };
      });
    },

    /** The event of an order, null where it has none. */
    eventOf: (orderId: string) => eventOfOrder(db, orderId),
  };
}
