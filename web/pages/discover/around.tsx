import { Link, useNavigate } from '@tanstack/react-router';
import { Compass, UsersRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contactsOrders } from '#contract/discover/endpoints.ts';
import { listEvents, type Event } from '#contract/events/endpoints.ts';
import { discover } from '#contract/rides/endpoints.ts';
import { roles } from '#contract/rides/views.ts';
import { useConfig } from '../../core/config.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { useCall, usePaginatedCall } from '../../core/queries.ts';
import { PartView, QueryView } from '../../core/query-view.tsx';
import { useProgressiveCount } from '../../core/use-progressive-count.ts';
import { useSession } from '../../core/use-session.ts';
import { LocateButton } from '../../map/locate-button.tsx';
import { usePosition } from '../../map/position.ts';
import { DiscoverFrame, useDiscoverQuery } from '../../features/discover/frame.tsx';
import { pinsOf, type NearbyOrder } from '../../features/discover/nearby-pins.ts';
import { PhoneMap, type Drawing } from '../../features/discover/phone-map.tsx';
import { EventCard } from '../../features/events/event-card.tsx';
import { useEventPins } from '../../features/events/event-on-map.ts';
import { NearbyCard } from '../../features/discover/nearby-card.tsx';
import { CardLink } from '../../domain/ride/ride-card.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { Chip, ChipRow } from '../../ui/chips.tsx';
import { EmptyState, Section } from '../../ui/surfaces.tsx';
import { SignInFirst } from './sign-in-first.tsx';

const filters = ['', 'driver', 'passenger', 'contacts'] as const;
type Filter = (typeof filters)[number];
/** Maximum cards above the events; the rest of the list is below. */
const cardsFirst = 3;
const eventsShown = 2;

/**
 * What the filter asks for: orders around me or of my contacts, and events nearby where it asks for
 * everything.
 */
function useAround() {
  const { of, show } = useDiscoverQuery();
  const { signedIn } = useSession();
  const filter: Filter = of ?? '';
  const ofContacts = filter === 'contacts';
  const { data: config } = useConfig();
  const position = usePosition();
  const at = position.at ?? config?.region.center;
  const role = roles.find((each) => each === filter);
  const nearby = usePaginatedCall(
    discover,
    { lon: at?.[0] ?? 0, lat: at?.[1] ?? 0, ...(role === undefined ? {} : { role }) },
    {
      items: (answer) => answer.orders,
      total: (answer) => answer.total,
      enabled: at !== undefined && !ofContacts,
    },
  );
  const theirs = usePaginatedCall(
    contactsOrders,
    {},
    {
      items: (answer) => answer.orders,
      total: (answer) => answer.total,
      enabled: ofContacts && signedIn,
    },
  );
  const orders = ofContacts ? theirs : nearby;
  const found = useCall(
    listEvents,
    { scope: 'near', lon: at?.[0] ?? 0, lat: at?.[1] ?? 0 },
    { enabled: at !== undefined && filter === '', quiet: true },
  );
  const events = useMemo(
    () => (filter === '' ? (found.data?.events ?? []).slice(0, eventsShown) : []),
    [filter, found.data],
  );
  return { filter, show, ofContacts, signedIn, config, position, orders, found, events };
}

/**
 * Open rides and requests around me, or those of my contacts, and events nearby; as a list and on the map.
 */
export function Around({ unreadAlerts }: { unreadAlerts: number }) {
  const { t } = useTranslation(['discover', 'common']);
  const navigate = useNavigate();
  const { asMap } = useDiscoverQuery();
  const around = useAround();
  const { filter, show, ofContacts, signedIn, position, orders, events } = around;
  const drawing = useDrawing(orders.items, events);
  const eventIds = useMemo(() => new Set(events.map(({ id }) => id)), [events]);
  const backdrop = useMemo(
    () => ({
      ...drawing,
      own: position.at,
      onPin: (id: string) =>
        void navigate({
          to: eventIds.has(id) ? '/pages/events/events' : '/pages/order/detail',
          search: { id },
        }),
    }),
    [drawing, eventIds, position.at, navigate],
  );
  useBackdrop(backdrop);

  return (
    <DiscoverFrame
      unreadAlerts={unreadAlerts}
      tools={<LocateButton position={position} />}
      filter={
        <ChipRow label={t('discover:filter.label')}>
          {filters.map((each) => (
            <Chip
              key={each}
              selected={filter === each}
              onClick={() => show({ of: each === '' ? undefined : each })}
            >
              {t(`discover:filter.${each === '' ? 'all' : each}`)}
            </Chip>
          ))}
        </ChipRow>
      }
    >
      {ofContacts && !signedIn ? (
        <SignInFirst
          icon={<UsersRound />}
          title={t('discover:contacts.guestTitle')}
          text={t('discover:contacts.guestText')}
          returnTo="/pages/discover/discover?of=contacts"
        />
      ) : (
        <QueryView query={orders} failed={t('discover:failed')} skeleton={{ kind: 'cards' }}>
          {() =>
            asMap && (orders.items.length > 0 || events.length > 0) ? (
              <AroundMap orders={orders.items} events={events} drawing={drawing} own={position.at} />
            ) : (
              <AroundList around={around} />
            )
          }
        </QueryView>
      )}
    </DiscoverFrame>
  );
}

/** How many there are, the first of them, events nearby, and the rest. */
function AroundList({
  around: { filter, ofContacts, config, position, orders, found, events },
}: {
  around: ReturnType<typeof useAround>;
}) {
  const { t } = useTranslation(['discover', 'common']);
  const drawn = useProgressiveCount(orders.items.length, cardsFirst);
  return (
    <>
      {orders.items.length === 0 ? (
        <Nobody filter={filter} />
      ) : (
        <p className="text-small text-ink-2">
          {ofContacts
            ? t('discover:contacts.count', { count: orders.total })
            : position.at
              ? t('discover:aroundYou', { count: orders.total })
              : t('discover:around', {
                  count: orders.total,
                  region: config?.region.packs[0]?.title ?? config?.region.title ?? '',
                })}
        </p>
      )}
      <Cards orders={orders.items.slice(0, cardsFirst)} label={t('discover:list.first')} />
      <PartView query={found} failed={t('discover:events.failed')}>
        {({ total }) => <NearbyEvents events={events} total={total} />}
      </PartView>
      <Cards orders={orders.items.slice(cardsFirst, drawn)} label={t('discover:list.more')} />
      <LoadMore pages={orders} />
    </>
  );
}

function Cards({ orders, label }: { orders: readonly NearbyOrder[]; label: string }) {
  if (orders.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {orders.map((order) => (
        <li key={order.id}>
          <CardLink id={order.id}>
            <NearbyCard order={order} />
          </CardLink>
        </li>
      ))}
    </ul>
  );
}

function NearbyEvents({ events, total }: { events: readonly Event[]; total: number }) {
  const { t } = useTranslation('discover');
  if (events.length === 0) return null;
  return (
    <Section
      title={t('events.title')}
      action={
        <Link
          to="/pages/events/events"
          className="inline-flex min-h-11 items-center font-semibold text-brand-ink underline-offset-4 hover:underline"
        >
          {t('events.all', { count: total })}
        </Link>
      }
    >
      <ul aria-label={t('events.title')} className="flex flex-col gap-3">
        {events.map((event) => (
          <li key={event.id}>
            <EventCard event={event} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function useDrawing(orders: readonly NearbyOrder[], events: readonly Event[]): Drawing {
  const eventPins = useEventPins(events);
  return useMemo(() => {
    const pins = pinsOf(orders);
    return {
      pins: [...pins, ...eventPins.pins],
      fit: [...pins.map(({ lon, lat }) => [lon, lat] as const), ...eventPins.fit],
    };
  }, [orders, eventPins]);
}

function AroundMap({
  orders,
  events,
  drawing,
  own,
}: {
  orders: readonly NearbyOrder[];
  events: readonly Event[];
  drawing: Drawing;
  own: readonly [number, number] | null;
}) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const order = orders.find(({ id }) => id === chosenId);
  const event = events.find(({ id }) => id === chosenId);
  return (
    <PhoneMap
      drawing={drawing}
      own={own}
      onPin={setChosenId}
      onClose={() => setChosenId(null)}
      card={
        order !== undefined ? (
          <CardLink id={order.id}>
            <NearbyCard order={order} />
          </CardLink>
        ) : event !== undefined ? (
          <EventCard event={event} />
        ) : null
      }
    />
  );
}

function Nobody({ filter }: { filter: Filter }) {
  const { t } = useTranslation('discover');
  if (filter === 'contacts')
    return (
      <EmptyState
        icon={<UsersRound />}
        title={t('contacts.emptyTitle')}
        text={t('contacts.emptyText')}
        action={
          <Link to="/pages/contact/add" className={buttonVariants({ small: true })}>
            {t('contacts.add')}
          </Link>
        }
      />
    );
  return (
    <EmptyState
      icon={<Compass />}
      title={t(`empty.${filter === '' ? 'all' : filter}`)}
      text={t('empty.text')}
      action={
        filter === 'driver' ? (
          <Link to="/pages/passenger/passenger" className={buttonVariants({ small: true })}>
            {t('empty.findRide')}
          </Link>
        ) : (
          <Link to="/" className={buttonVariants({ small: true })}>
            {t('empty.offerRide')}
          </Link>
        )
      }
    />
  );
}
