import type { Order } from '#contract/rides/views.ts';

type Way = Pick<Order, 'from' | 'to'> & { eventId?: string | null };
type WithTimes = Way & ({ role: 'driver'; departsAt: string } | { role: 'passenger'; earliestAt: string });

/** Query parameters that fill the Carpool and Passenger pages with a known way, and its time unless that is over. */
export function draftQuery(order: WithTimes, withTime = true): Record<string, string> {
  const at = order.role === 'driver' ? order.departsAt : order.earliestAt;
  return {
    ...placeQuery('from', order.from),
    ...placeQuery('to', order.to),
    ...(withTime ? { earliestAt: at } : {}),
    ...(order.eventId ? { eventId: order.eventId } : {}),
  };
}

/** One end of a way as query parameters: `fromName`, `fromDetail`, `fromLon`, `fromLat`. */
export function placeQuery(
  end: 'from' | 'to',
  place: { name: string; detail: string; lon: number; lat: number },
): Record<string, string> {
  return {
    [`${end}Name`]: place.name,
    [`${end}Detail`]: place.detail,
    [`${end}Lon`]: String(place.lon),
    [`${end}Lat`]: String(place.lat),
  };
}
