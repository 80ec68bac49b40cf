import type { EventDetail } from '#contract/events/endpoints.ts';
import type { Language } from '#contract/formats/intl.ts';
import { dateAndTime } from '#contract/formats/times.ts';
import { translate } from '../../platform/messages/translate.ts';
import { withQuery, type Preview } from './preview.ts';

/** An event as its page shows it to a guest, without its organizer. */
export function previewOfEvent(
  event: EventDetail,
  { language, now, publicUrl }: { language: Language; now: Date; publicUrl: string },
): Preview {
  const t = translate(language);
  const { id, token, name, place, startsAt, timeZone, visibility, canceled } = event;
  const when = dateAndTime(startsAt, timeZone, { language, zone: null });
  const where = place.detail === '' ? place.name : `${place.name}, ${place.detail}`;
  const isOver = canceled || new Date(event.endsAt) <= now;
  const seats = ({ seatsOffered, seatsNeeded }: EventDetail['back']) => ({
    offered: t('previews:event.offered', { count: seatsOffered }),
    needed: t('previews:event.needed', { count: seatsNeeded }),
  });
  const path = withQuery('/pages/events/events', token === '' ? { id } : { id, token });
  return {
    title: name,
    text: t(isOver ? 'previews:event.over' : 'previews:event.text', { when, place: where }),
    lines: [
      ...(event.description === '' ? [] : [event.description]),
      ...(isOver
        ? []
        : [t('previews:event.there', seats(event)), t('previews:event.back', seats(event.back))]),
    ],
    path,
    isIndexed: visibility === 'public' && !isOver,
    picture: {
      path: `/preview/event/${id}.png${token === '' ? '' : `?${new URLSearchParams({ token }).toString()}`}`,
      drawing: {
        label: t('previews:event.label'),
        ends: null,
        title: name,
        facts: [when, where, ...(isOver ? [] : [seats(event).offered])],
      },
    },
    ...(visibility === 'public' ? { data: eventData(event, publicUrl + path) } : {}),
  };
}

/** https://schema.org/Event */
const eventData = (event: EventDetail, url: string): Record<string, unknown> => ({
  '@type': 'Event',
  name: event.name,
  ...(event.description === '' ? {} : { description: event.description }),
  startDate: event.startsAt,
  endDate: event.endsAt,
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  eventStatus: `https://schema.org/${event.canceled ? 'EventCancelled' : 'EventScheduled'}`,
  location: {
    '@type': 'Place',
    name: event.place.name,
    address: event.place.detail === '' ? event.place.name : event.place.detail,
    geo: { '@type': 'GeoCoordinates', longitude: event.place.lon, latitude: event.place.lat },
  },
  ...(event.picture === '' ? {} : { image: new URL(event.picture, url).href }),
  url,
});
