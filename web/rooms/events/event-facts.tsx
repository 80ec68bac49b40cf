import { CalendarDays, MapPin } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Event } from '#contract/events/endpoints.ts';
import { dayOf, zoneName } from '../../base/format.ts';
import { useFormat } from '../../base/use-format.ts';
import { Card } from '../../ui/surfaces.tsx';
import { EventSeats } from './event-card.tsx';

/** When and where an event is, in its own zone, and how people get there. */
export function EventFacts({ event }: { event: Event }) {
  const { t } = useTranslation('events');
  const format = useFormat();
  const { startsAt, endsAt, timeZone, place } = event;
  const oneDay = dayOf(startsAt, timeZone) === dayOf(endsAt, timeZone);
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-heading break-words">{event.name}</h2>
      <p className="flex gap-3">
        <CalendarDays aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-2" />
        <span className="figures min-w-0">
          <span className="sr-only">{t('when')} </span>
          <span className="block text-body font-semibold">{format.day(startsAt, timeZone)}</span>
          <span className="block text-body text-ink-2">
            {format.timeOfDay(startsAt, timeZone)} –{' '}
            {oneDay ? format.timeOfDay(endsAt, timeZone) : format.when(endsAt, timeZone)}{' '}
            {zoneName(startsAt, timeZone)}
          </span>
        </span>
      </p>
      <p className="flex gap-3">
        <MapPin aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-2" />
        <span className="min-w-0">
          <span className="sr-only">{t('where')} </span>
          <span className="block text-body font-semibold break-words">{place.name}</span>
          {place.detail !== '' && <span className="block text-small text-ink-3">{place.detail}</span>}
        </span>
      </p>
      <EventSeats event={event} />
      {event.description !== '' && (
        <p className="text-body break-words whitespace-pre-line text-ink-2">{event.description}</p>
      )}
    </Card>
  );
}
