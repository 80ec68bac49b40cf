import type { EventEntry } from '#contract/events/endpoints.ts';
import { wayOf } from '#contract/events/plan.ts';
import type { PlanContext } from './context.ts';
import { eventRequestsInSight, eventRidesInSight } from '../../orders/audience/queries.ts';

/** Seats offered and needed, order by order, as far as this person may see them. Refuses `event.notFound`. */
export async function listEntries(
  { events, orders, platform: { db, clock } }: PlanContext,
  id: string,
  viewerId: string | null,
  token: string,
): Promise<EventEntry[]> {
  const event = await events.seen(id, viewerId, token);
  const of = { eventId: id, viewerId, now: clock.now() };
  const [rideViews, requestViews] = await Promise.all([
    eventRidesInSight(db, of).then((rows) => orders.rideViews(rows, viewerId)),
    eventRequestsInSight(db, of).then((rows) => orders.requestViews(rows, viewerId)),
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
}
