import type { Event } from '#contract/events/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { EventRow } from './store.ts';

export const viewEvent = (
  row: EventRow,
  of: { viewerId: string | null; organizer: Person; picture: string },
): Event => ({
  id: row.id,
  name: row.name,
  description: row.description,
  place: { name: row.atName, detail: row.atDetail, lon: row.atLon, lat: row.atLat },
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  timeZone: row.timeZone,
  picture: of.picture,
  visibility: row.visibility,
  expectedPeople: row.expectedPeople,
  canceled: row.canceledAt !== null,
  organizer: of.organizer,
  mine: row.organizerId === of.viewerId,
  seatsOffered: row.seatsOffered,
  seatsNeeded: row.seatsNeeded,
  back: { seatsOffered: row.backOffered, seatsNeeded: row.backNeeded },
});
