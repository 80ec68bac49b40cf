import type { EventEntry } from '#contract/events/endpoints.ts';
import { wayOf } from '#contract/events/plan.ts';
import { eventRequestsInSight, eventRidesInSight } from '../../orders/audience/queries.ts';
import { orderLines } from '../../orders/service.ts';
import { visibleEvent } from '../calendar/find-event.ts';
import type { PlanContext } from './context.ts';

/** Seats offered and needed, order by order, as far as this person may see them. Refuses `event.notFound`. */
export async function listEntries(
  { platform }: PlanContext,
  id: string,
  viewerId: string | null,
  token: string,
): Promise<EventEntry[]> {
  const event = await visibleEvent(platform, id, viewerId, token);
  const { db, clock } = platform;
  const of = { eventId: id, viewerId, now: clock.now() };
  const [rides, requests] = await Promise.all([eventRidesInSight(db, of), eventRequestsInSight(db, of)]);
  const lines = await orderLines(platform, { rides, requests }, viewerId);
  const place = { lon: event.atLon, lat: event.atLat };
  return lines.map(({ id: orderId, from, to, role, person, at, timeZone, seats, mine }) => {
    const way = wayOf(place, { from, to });
    return { orderId, role, way, person, place: way === 'there' ? from : to, at, timeZone, seats, mine };
  });
}
