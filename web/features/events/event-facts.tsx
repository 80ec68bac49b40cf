import { CalendarDays, CalendarX, Link2, MapPin, UserRound, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Event } from '#contract/events/endpoints.ts';
import { dayOf } from '#contract/formats/times.ts';
import { useFormat } from '../../core/use-format.ts';
import { StateChip } from '../../ui/chips.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { EventSeats } from './event-card.tsx';

/** What an event is, when and where in its own zone, and how many seats there are both ways. */
export function EventFacts({ event }: { event: Event }) {
  const { t } = useTranslation('events');
  const { place, organizer, expectedPeople } = event;
  return (
    <Card className="flex flex-col gap-4">
      {event.picture !== '' && (
        <img
          src={event.picture}
          alt=""
          className="-mx-4 -mt-4 aspect-[2/1] w-[calc(100%+2rem)] max-w-none rounded-t-control object-cover"
        />
      )}
      <div className="flex flex-col gap-2">
        <h2 className="text-heading break-words">{event.name}</h2>
        {(event.canceled || event.visibility === 'link') && (
          <p className="flex flex-wrap gap-2">
            {event.canceled && (
              <StateChip tone="danger" icon={<CalendarX aria-hidden />}>
                {t('canceled')}
              </StateChip>
            )}
            {event.visibility === 'link' && (
              <StateChip tone="neutral" icon={<Link2 aria-hidden />}>
                {t('byLink')}
              </StateChip>
            )}
          </p>
        )}
      </div>
      <When event={event} />
      <p className="flex gap-3">
        <MapPin aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-2" />
        <span className="min-w-0">
          <span className="sr-only">{t('where')} </span>
          <span className="block text-body font-semibold break-words">{place.name}</span>
          {place.detail !== '' && <span className="block text-small text-ink-3">{place.detail}</span>}
        </span>
      </p>
      <p className="flex gap-3 text-body text-ink-2">
        <UserRound aria-hidden className="mt-0.5 size-5 shrink-0" />
        <span className="min-w-0 break-words">
          {event.mine ? t('organiserMe') : t('organizer', { name: organizer.name })}
        </span>
      </p>
      {expectedPeople !== null && (
        <p className="figures flex gap-3 text-body text-ink-2">
          <Users aria-hidden className="mt-0.5 size-5 shrink-0" />
          {t('expected', { count: expectedPeople })}
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        <dt className="text-small font-semibold">{t('there')}</dt>
        <dd>
          <EventSeats seats={event} />
        </dd>
        <dt className="text-small font-semibold">{t('back')}</dt>
        <dd>
          <EventSeats seats={event.back} />
        </dd>
      </dl>
      {event.description !== '' && (
        <p className="text-body break-words whitespace-pre-line text-ink-2">{event.description}</p>
      )}
    </Card>
  );
}

/** From when until when, in the event's own zone. */
function When({ event: { startsAt, endsAt, timeZone } }: { event: Event }) {
  const { t } = useTranslation('events');
  const format = useFormat();
  const oneDay = dayOf(startsAt, timeZone) === dayOf(endsAt, timeZone);
  return (
    <p className="flex gap-3">
      <CalendarDays aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-2" />
      <span className="figures min-w-0">
        <span className="sr-only">{t('when')} </span>
        <span className="block text-body font-semibold">{format.day(startsAt, timeZone)}</span>
        <span className="block text-body text-ink-2">
          {oneDay
            ? format.timeSpan(startsAt, endsAt, timeZone)
            : `${format.timeOfDay(startsAt, timeZone)} – ${format.whenInSentence(endsAt, timeZone)}`}{' '}
          {format.foreignZone(startsAt, timeZone)}
        </span>
      </span>
    </p>
  );
}
