import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarX } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDetail, type Event } from '#contract/events/endpoints.ts';
import { now } from '../../base/clock.ts';
import { errorWords, Refused } from '../../base/errors.ts';
import { usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { localOf } from '../../base/zoned-time.ts';
import { MapView } from '../../map/map-view.tsx';
import { EventFacts } from '../../rooms/events/event-facts.tsx';
import { useEventPins } from '../../rooms/events/event-on-map.ts';
import { passengerStore } from '../../rooms/planning/draft.ts';
import { useBackdrop } from '../../shell/backdrop.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/surfaces.tsx';

/** A passenger is picked up about this long before an event begins, until their own way is known. */
const rideAheadMs = 60 * 60_000;

/** One event: when, where, and the two ways to get there. */
export function EventDetail({ id }: { id: string }) {
  const { t } = useTranslation(['events', 'common']);
  const title = usePageTitle();
  const navigate = useNavigate();
  const { data: event, error, refetch } = useCall(eventDetail, { id }, { quiet: true });
  const events = useMemo(() => event && [event], [event]);
  const shown = useEventPins(events);
  const desktop = useBackdrop(shown);
  const toList = () => void navigate({ to: '/pages/events/events', search: {} });

  if (!event) {
    return (
      <Frame title={title} back={toList}>
        {error instanceof Refused ? (
          <EmptyState icon={<CalendarX />} title={t('events:missing')} />
        ) : error ? (
          <ErrorState
            title={t('events:failed')}
            text={errorWords(error)}
            retryLabel={t('common:retry')}
            onRetry={() => void refetch()}
          />
        ) : (
          <Skeleton label={t('common:loading')} kind="cards" rows={1} />
        )}
      </Frame>
    );
  }
  return (
    <Frame
      title={title}
      back={toList}
      action={
        Date.parse(event.startsAt) <= now() ? undefined : (
          <div className="flex gap-2">
            <Link
              to="/pages/passenger/passenger"
              className={`${buttonLook({ tone: 'quiet' })} flex-1`}
              onClick={() => rideThere(event)}
            >
              {t('events:rideThere')}
            </Link>
            <Link
              to="/pages/events/eventJoinAsDriver"
              search={{ id: event.id }}
              className={`${buttonLook()} flex-1`}
            >
              {t('events:driveThere')}
            </Link>
          </div>
        )
      }
    >
      <EventFacts event={event} />
      {!desktop && (
        <div inert className="relative h-48 shrink-0 overflow-hidden rounded-control shadow-card">
          <MapView label={t('common:map.label')} {...shown} />
        </div>
      )}
    </Frame>
  );
}

/** Starts a request to the event; where from is asked on the Passenger page. */
function rideThere({ id, place, startsAt, timeZone }: Event): void {
  const at = Math.max(Date.parse(startsAt) - rideAheadMs, now());
  passengerStore.write({
    ...passengerStore.read(),
    to: place,
    local: localOf(at, timeZone),
    eventId: id,
  });
}
