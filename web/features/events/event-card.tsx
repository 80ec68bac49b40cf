import { Link } from '@tanstack/react-router';
import { CarFront, HandHelping } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Event } from '#contract/events/endpoints.ts';
import { useFormat } from '../../core/use-format.ts';

/** The day of an event as a leaf of a calendar. */
export function DayLeaf({ at, timeZone }: { at: string; timeZone: string }) {
  const { month, day } = useFormat().calendarLeaf(at, timeZone);
  return (
    <span
      aria-hidden
      className="flex size-14 shrink-0 flex-col items-center justify-center rounded-control bg-ink text-white"
    >
      <span className="text-[0.6875rem] leading-4 font-semibold text-brand">{month}</span>
      <span className="figures text-heading font-semibold">{day}</span>
    </span>
  );
}

/** Seats that drivers offer in one direction of an event and seats that passengers need. */
export function EventSeats({ seats }: { seats: Pick<Event, 'seatsOffered' | 'seatsNeeded'> }) {
  const { t } = useTranslation('events');
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-2">
      <span className="inline-flex items-center gap-1.5">
        <CarFront aria-hidden className="size-4 text-brand-ink" />
        {t('seatsOffered', { count: seats.seatsOffered })}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <HandHelping aria-hidden className="size-4 text-warn" />
        {t('seatsNeeded', { count: seats.seatsNeeded })}
      </span>
    </span>
  );
}

/** An event in the list: what, when, where, and how many seats there are and are wanted. */
export function EventCard({ event }: { event: Event }) {
  const { t } = useTranslation('events');
  const format = useFormat();
  return (
    <Link
      to="/pages/events/events"
      search={{ id: event.id }}
      className="flex gap-4 rounded-control bg-surface p-4 shadow-card hover:bg-page"
    >
      <DayLeaf at={event.startsAt} timeZone={event.timeZone} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="text-lead font-semibold break-words">{event.name}</span>
        {event.canceled && <span className="text-small font-semibold text-danger">{t('canceled')}</span>}
        <span className="figures text-body text-ink-2">{format.when(event.startsAt, event.timeZone)}</span>
        <span className="truncate text-small text-ink-3">{event.place.name}</span>
        <EventSeats seats={event} />
      </span>
    </Link>
  );
}
