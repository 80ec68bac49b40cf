import { Link, useNavigate } from '@tanstack/react-router';
import { Compass, List as ListIcon, LocateFixed, Map as MapIcon, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { discover } from '#contract/rides/endpoints.ts';
import { roles } from '#contract/rides/views.ts';
import { useConfig } from '../../base/config.ts';
import { errorWords } from '../../base/errors.ts';
import { usePageQuery, usePageTitle } from '../../base/navigation.ts';
import { useCall, usePages } from '../../base/queries.ts';
import { useSession } from '../../base/session.ts';
import { MapView } from '../../map/map-view.tsx';
import { usePosition } from '../../map/position.ts';
import { pinsOf, type NearbyOrder } from '../../rooms/discover/nearby-pins.ts';
import { NearbyCard } from '../../rooms/rides/nearby-card.tsx';
import { CardLink } from '../../rooms/rides/ride-card.tsx';
import { useBackdrop } from '../../shell/backdrop.tsx';
import { Button, buttonLook, IconButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/choices.tsx';
import { useDesktop } from '../../ui/media.ts';
import { Page as Frame } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { MyAlerts } from './my-alerts.tsx';

/** Discover: open rides and requests around me, on the map and as a list; and what I wait for. */
export function Page() {
  const { t } = useTranslation(['discover', 'alerts', 'common']);
  const title = usePageTitle();
  const navigate = useNavigate();
  const query = usePageQuery();
  const desktop = useDesktop();
  const role = roles.find((each) => each === query['role']);
  const mine = query['view'] === 'alerts';
  const asMap = query['view'] === 'map' && !desktop;
  const { signedIn } = useSession();
  const { data: alerts } = useCall(listAlerts, {}, { enabled: signedIn, quiet: true });
  const unread = signedIn ? (alerts?.unread ?? 0) : 0;
  const { data: config } = useConfig();
  const position = usePosition();
  const at = position.at ?? config?.region.center;
  const nearby = usePages(
    discover,
    { lon: at?.[0] ?? 0, lat: at?.[1] ?? 0, ...(role === undefined ? {} : { role }) },
    { items: (answer) => answer.orders, total: (answer) => answer.total, enabled: at !== undefined },
  );
  const show = (next: { role?: string; view?: string }) =>
    void navigate({
      to: '/pages/discover/discover',
      search: { role: query['role'], view: query['view'], ...next },
      replace: true,
    });
  const locate = async () => {
    if ((await position.locate()) === null) toast.error(t('common:position.failed'));
  };
  const drawing = useNearbyDrawing(nearby.items);
  const backdrop = useMemo(
    () => ({
      ...drawing,
      own: position.at,
      onPin: (id: string) => void navigate({ to: '/pages/order/detail', search: { id } }),
    }),
    [drawing, position.at, navigate],
  );
  useBackdrop(backdrop);

  return (
    <Frame
      title={title}
      bare={asMap}
      tools={
        <>
          {!desktop && !mine && (
            <IconButton
              label={t(asMap ? 'discover:asList' : 'discover:asMap')}
              icon={asMap ? <ListIcon aria-hidden /> : <MapIcon aria-hidden />}
              onClick={() => show({ view: asMap ? '' : 'map' })}
            />
          )}
          {!mine && (
            <IconButton
              label={t('common:map.locate')}
              icon={<LocateFixed aria-hidden />}
              onClick={() => void locate()}
            />
          )}
        </>
      }
      header={
        <SegmentedControl
          label={t('discover:show')}
          options={[
            { value: 'all', label: t('discover:all') },
            { value: 'driver', label: t('discover:rides') },
            { value: 'passenger', label: t('discover:requests') },
            {
              value: 'alerts',
              label: t('alerts:tab'),
              icon: unread > 0 && (
                <span className="size-2.5 shrink-0 rounded-full bg-danger">
                  <span className="sr-only">{t('alerts:badge', { count: unread })}</span>
                </span>
              ),
            },
          ]}
          value={mine ? 'alerts' : (role ?? 'all')}
          onChange={(next) =>
            show(
              next === 'alerts'
                ? { role: '', view: 'alerts' }
                : { role: next === 'all' ? '' : next, view: asMap ? 'map' : '' },
            )
          }
        />
      }
    >
      {mine ? (
        <MyAlerts />
      ) : nearby.error && nearby.items.length === 0 ? (
        <ErrorState
          title={t('discover:failed')}
          text={errorWords(nearby.error)}
          retryLabel={t('common:retry')}
          onRetry={() => void nearby.refetch()}
        />
      ) : nearby.isPending ? (
        <div className={asMap ? 'p-4' : ''}>
          <Skeleton label={t('common:loading')} kind="cards" />
        </div>
      ) : nearby.items.length === 0 ? (
        <NobodyAround role={role} />
      ) : asMap ? (
        <NearbyMap orders={nearby.items} drawing={drawing} own={position.at} />
      ) : (
        <>
          <p className="text-small text-ink-2">
            {position.at
              ? t('discover:aroundYou', { count: nearby.total })
              : t('discover:around', {
                  count: nearby.total,
                  region: config?.region.packs[0]?.title ?? config?.region.title ?? '',
                })}
          </p>
          <ul className="flex flex-col gap-3">
            {nearby.items.map((order) => (
              <li key={order.id}>
                <CardLink id={order.id}>
                  <NearbyCard order={order} />
                </CardLink>
              </li>
            ))}
          </ul>
          {nearby.hasMore && (
            <Button tone="quiet" full busy={nearby.loadingMore} onClick={nearby.more}>
              {t('common:loadMore')}
            </Button>
          )}
        </>
      )}
    </Frame>
  );
}

function useNearbyDrawing(orders: readonly NearbyOrder[]) {
  const ids = orders.map(({ id }) => id).join(' ');
  return useMemo(() => {
    const pins = pinsOf(orders);
    return { pins, fit: pins.map(({ lon, lat }) => [lon, lat] as const) };
    // The list is made anew at every reading; what it shows changes with its orders.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ids]);
}

function NearbyMap({
  orders,
  drawing,
  own,
}: {
  orders: readonly NearbyOrder[];
  drawing: ReturnType<typeof useNearbyDrawing>;
  own: readonly [number, number] | null;
}) {
  const { t } = useTranslation(['discover', 'common']);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = orders.find(({ id }) => id === chosenId);
  return (
    <div className="relative flex-1">
      <MapView label={t('common:map.label')} {...drawing} own={own} onPin={setChosenId} />
      {chosen && (
        <div className="absolute inset-x-3 bottom-6 animate-rise">
          <CardLink id={chosen.id}>
            <NearbyCard order={chosen} />
          </CardLink>
          <IconButton
            floating
            label={t('common:close')}
            icon={<X aria-hidden />}
            className="absolute -top-13 right-0"
            onClick={() => setChosenId(null)}
          />
        </div>
      )}
    </div>
  );
}

function NobodyAround({ role }: { role: 'driver' | 'passenger' | undefined }) {
  const { t } = useTranslation('discover');
  return (
    <EmptyState
      icon={<Compass />}
      title={t(`empty.${role ?? 'all'}`)}
      text={t('empty.text')}
      action={
        role === 'driver' ? (
          <Link to="/pages/passenger/passenger" className={buttonLook({ small: true })}>
            {t('empty.findRide')}
          </Link>
        ) : (
          <Link to="/" className={buttonLook({ small: true })}>
            {t('empty.offerRide')}
          </Link>
        )
      }
    />
  );
}
