import { useNavigate } from '@tanstack/react-router';
import { CalendarDays, SearchX } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listEvents } from '#contract/events/endpoints.ts';
import { errorWords } from '../../base/errors.ts';
import { usePageTitle } from '../../base/navigation.ts';
import { useCall } from '../../base/queries.ts';
import { EventCard } from '../../rooms/events/event-card.tsx';
import { useEventPins } from '../../rooms/events/event-on-map.ts';
import { useBackdrop } from '../../shell/backdrop.tsx';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/inputs.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/surfaces.tsx';

/** Events to come, soonest first, found by name or place. */
export function EventList() {
  const { t } = useTranslation(['events', 'common']);
  const title = usePageTitle();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const searched = useDeferredValue(text.trim());
  const { data, isPending, error, refetch } = useCall(
    listEvents,
    { text: searched },
    { keepPrevious: true, quiet: true },
  );
  const { pins, fit } = useEventPins(data?.events);
  const backdrop = useMemo(
    () => ({
      pins,
      fit,
      onPin: (id: string) => void navigate({ to: '/pages/events/events', search: { id } }),
    }),
    [pins, fit, navigate],
  );
  useBackdrop(backdrop);

  return (
    <Frame
      title={title}
      header={
        <SearchField
          label={t('events:search')}
          clearLabel={t('common:clearSearch')}
          value={text}
          onChange={setText}
        />
      }
    >
      {isPending ? (
        <Skeleton label={t('common:loading')} kind="cards" />
      ) : !data ? (
        <ErrorState
          title={t('events:failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : data.events.length > 0 ? (
        <ul className="flex flex-col gap-3">
          {data.events.map((event) => (
            <li key={event.id}>
              <EventCard event={event} />
            </li>
          ))}
        </ul>
      ) : searched === '' ? (
        <EmptyState icon={<CalendarDays />} title={t('events:noneTitle')} text={t('events:noneText')} />
      ) : (
        <EmptyState
          icon={<SearchX />}
          title={t('events:notFound', { text: searched })}
          action={
            <Button tone="quiet" small onClick={() => setText('')}>
              {t('events:showAll')}
            </Button>
          }
        />
      )}
    </Frame>
  );
}
