import type { EventEntry } from '#contract/events/endpoints.ts';
import { wayOf } from '#contract/events/plan.ts';
import type { App } from '../../../app-type.ts';
import { eventRequestsInSight, eventRidesInSight } from '../../orders/audience/queries.ts';
import { orderLines } from '../../orders/service.ts';
import { visibleEvent } from '../calendar/find-event.ts';

/** Seats offered and needed, order by order, as far as this person may see them. Refuses `event.notFound`. */
export async function listEntries(
  app: App,
  id: string,
  viewerId: string | null,
  token: string,
): Promise<EventEntry[]> {
  const event = await visibleEvent(app, id, viewerId, token);
  const { db, clock } = app;
  const of = { eventId: id, viewerId, now: clock.now() };
  const [rides, requests] = await Promise.all([eventRidesInSight(db, of), eventRequestsInSight(db, of)]);
  const lines = await orderLines(app, { rides, requests }, viewerId);
  const place = { lon: event.atLon, lat: event.atLat };
  return lines.map(({ id: orderId, from, to, role, person, at, timeZone, seats, mine }) => {
    const way = wayOf(place, { from, to });
    return { orderId, role, way, person, place: way === 'there' ? from : to, at, timeZone, seats, mine };
  });
}
