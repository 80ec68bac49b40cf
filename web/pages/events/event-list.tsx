import { Link, useNavigate } from '@tanstack/react-router';
import { CalendarDays, CalendarPlus, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listEvents } from '#contract/events/endpoints.ts';
import { useConfig } from '../../core/config.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { usePaginatedCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useSettled } from '../../core/use-settled.ts';
import { useSession } from '../../core/use-session.ts';
import { usePosition } from '../../map/position.ts';
import { EventCard } from '../../features/events/event-card.tsx';
import { eventDrafts } from '../../features/events/event-draft.ts';
import { useEventPins } from '../../features/events/event-on-map.ts';
import { useBackdrop } from '../../map/backdrop.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { Chip, ChipRow } from '../../ui/chips.tsx';
import { SearchField } from '../../ui/inputs.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

type Scope = 'soon' | 'near' | 'mine';

/** The filter for events, and those that it finds. */
function useEventSearch() {
  const { t } = useTranslation('common');
  const { signedIn } = useSession();
  const { data: config } = useConfig();
  const position = usePosition();
  const [scope, setScope] = useState<Scope>('soon');
  const [text, setText] = useState('');
  const searched = useSettled(text.trim());
  const near = position.at ?? config?.region.center;
  const input =
    scope === 'near' && near !== undefined
      ? { text: searched, scope, lon: near[0], lat: near[1] }
      : { text: searched, scope: scope === 'near' ? ('soon' as const) : scope };
  const found = usePaginatedCall(listEvents, input, {
    items: ({ events }) => events,
    total: ({ total }) => total,
  });
  const choose = async (next: Scope) => {
    setScope(next);
    // Without a position, nearest to the middle of the region.
    if (next === 'near' && position.at === null && (await position.locate()) === null)
      toast.info(t('position.manually'));
  };
  const scopes: readonly Scope[] = signedIn ? ['soon', 'near', 'mine'] : ['soon', 'near'];
  return { scope, scopes, choose, text, setText, searched, found };
}

type EventSearch = ReturnType<typeof useEventSearch>;

/**
 * Events to come: soonest or nearest first, or my own, found by name or place; and the way to announce one.
 */
export function EventList() {
  const { t } = useTranslation('events');
  const title = usePageTitle();
  const navigate = useNavigate();
  const search = useEventSearch();
  const { pins, fit } = useEventPins(search.found.items);
  useBackdrop(
    useMemo(
      () => ({
        pins,
        fit,
        onPin: (id: string) => void navigate({ to: '/pages/events/events', search: { id } }),
      }),
      [pins, fit, navigate],
    ),
  );
  return (
    <PageLayout
      title={title}
      header={<Filters search={search} />}
      action={
        <Link
          to="/pages/events/edit"
          className={buttonVariants({ tone: 'quiet', full: true })}
          onClick={eventDrafts.drop}
        >
          <CalendarPlus aria-hidden className="size-5" />
          {t('create')}
        </Link>
      }
    >
      <FoundEvents search={search} />
    </PageLayout>
  );
}

function Filters({ search: { scope, scopes, choose, text, setText } }: { search: EventSearch }) {
  const { t } = useTranslation(['events', 'common']);
  return (
    <div className="flex flex-col gap-3">
      <SearchField
        label={t('events:search')}
        clearLabel={t('common:clearSearch')}
        value={text}
        onChange={setText}
      />
      <ChipRow label={t('events:scope.label')}>
        {scopes.map((each) => (
          <Chip key={each} selected={scope === each} onClick={() => void choose(each)}>
            {t(`events:scope.${each}`)}
          </Chip>
        ))}
      </ChipRow>
    </div>
  );
}

/** The events that are found, or why there are none. */
function FoundEvents({ search }: { search: EventSearch }) {
  const { t } = useTranslation('events');
  const { found } = search;
  return (
    <QueryView
      query={found}
      failed={t('failed')}
      skeleton={{ kind: 'cards' }}
      empty={<NoEvents search={search} />}
      isEmpty={({ items }) => items.length === 0}
    >
      {({ items }) => (
        <>
          <ul className="flex flex-col gap-3">
            {items.map((event) => (
              <li key={event.id}>
                <EventCard event={event} />
              </li>
            ))}
          </ul>
          <LoadMore pages={found} />
        </>
      )}
    </QueryView>
  );
}

function NoEvents({ search: { scope, searched, setText } }: { search: EventSearch }) {
  const { t } = useTranslation('events');
  return searched === '' ? (
    <EmptyState
      icon={<CalendarDays />}
      title={t(scope === 'mine' ? 'noneMine' : 'noneTitle')}
      text={t(scope === 'mine' ? 'noneMineText' : 'noneText')}
    />
  ) : (
    <EmptyState
      icon={<SearchX />}
      title={t('notFound', { text: searched })}
      action={
        <Button tone="quiet" small onClick={() => setText('')}>
          {t('showAll')}
        </Button>
      }
    />
  );
}
