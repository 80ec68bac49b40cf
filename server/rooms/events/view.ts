import type { Event } from '#contract/events/endpoints.ts';
import type { EventRow } from './store.ts';

export const viewEvent = (row: EventRow): Event => ({
  id: row.id,
  name: row.name,
  description: row.description,
  place: { name: row.atName, detail: row.atDetail, lon: row.atLon, lat: row.atLat },
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  timeZone: row.timeZone,
  seatsOffered: row.seatsOffered,
  seatsNeeded: row.seatsNeeded,
});
