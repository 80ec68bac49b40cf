import { Link } from '@tanstack/react-router';
import { CalendarX, MapPin } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDetail, type Event } from '#contract/events/endpoints.ts';
import { errorWords, Refused } from '../../base/errors.ts';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { useFormat } from '../../base/use-format.ts';
import { localOf } from '../../base/zoned-time.ts';
import { EventFacts } from '../../rooms/events/event-facts.tsx';
import { useDriverDraft } from '../../rooms/planning/draft.ts';
import { SeatsField } from '../../rooms/planning/seats-field.tsx';
import { useWay, useWayOnMap } from '../../rooms/planning/use-way.ts';
import { useBackdrop } from '../../shell/backdrop.tsx';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { PickerRow } from '../../ui/inputs.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Card, EmptyState, ErrorState, Skeleton } from '../../ui/surfaces.tsx';
import { useChoosePlace } from '../address/use-choose-place.ts';

/** Time to park and walk in before an event begins. */
const arriveAheadMs = 10 * 60_000;

/** Join as a driver: a ride to an event, planned so that it arrives before the start. */
export function Page() {
  const { t } = useTranslation(['events', 'common']);
  const title = usePageTitle();
  const { id = '' } = usePageQuery();
  const { data: event, error, refetch } = useCall(eventDetail, { id }, { enabled: id !== '', quiet: true });
  if (event) return <PlanDrive event={event} />;
  return (
    <Frame title={title} back>
      {id === '' || error instanceof Refused ? (
        <EmptyState
          icon={<CalendarX />}
          title={t('events:missing')}
          action={
            <Link to="/pages/events/events" className={buttonLook({ small: true })}>
              {t('events:showAll')}
            </Link>
          }
        />
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

function PlanDrive({ event }: { event: Event }) {
  const { t } = useTranslation(['events', 'common']);
  const title = usePageTitle();
  const format = useFormat();
  const [draft, change] = useDriverDraft();
  const choose = useChoosePlace('driver');
  const { from } = draft;
  const way = useWay(from, event.place);
  const shown = useWayOnMap(from, event.place, way.quote);
  useBackdrop(useMemo(() => shown, [shown]));

  const { id: eventId, place: to, startsAt, timeZone } = event;
  const driveSeconds = way.quote?.route.seconds;
  const zone = way.zone ?? timeZone;
  const leaveAt =
    driveSeconds === undefined
      ? null
      : new Date(fiveMinutesDown(Date.parse(startsAt) - arriveAheadMs - driveSeconds * 1000)).toISOString();
  useEffect(() => {
    change({ to, eventId, ...(leaveAt === null ? {} : { local: localOf(leaveAt, zone) }) });
  }, [change, to, eventId, leaveAt, zone]);

  return (
    <Frame
      title={title}
      back
      action={
        from === null || leaveAt === null ? (
          <Button full disabled={way.pending} busy={way.pending} onClick={() => choose('from')}>
            {t('events:chooseFrom')}
          </Button>
        ) : (
          <Link
            to="/pages/order/confirm"
            search={{ role: 'driver', eventId }}
            className={buttonLook({ full: true })}
          >
            {t('events:plan')}
          </Link>
        )
      }
    >
      <EventFacts event={event} />
      <Card className="flex flex-col gap-4">
        <Field label={t('events:from')} error={way.refusal?.words}>
          <PickerRow
            value={from?.name ?? ''}
            placeholder={t('events:fromPlaceholder')}
            icon={<MapPin aria-hidden className="size-5 shrink-0 text-ink-2" />}
            onClick={() => choose('from')}
          />
        </Field>
        {leaveAt !== null && way.quote && (
          <p className="figures text-body">
            <span className="block text-lead font-semibold">
              {t('events:leaveAt', { time: format.when(leaveAt, zone) })}
            </span>
            <span className="text-ink-2">
              {t('events:leaveWhy', {
                distance: format.distance(way.quote.route.metres),
                time: format.duration(way.quote.route.seconds),
              })}
            </span>
          </p>
        )}
        <SeatsField label={t('events:seats')} seats={draft.seats} onChange={(seats) => change({ seats })} />
      </Card>
    </Frame>
  );
}

const fiveMinutesDown = (at: number) => Math.floor(at / 300_000) * 300_000;
