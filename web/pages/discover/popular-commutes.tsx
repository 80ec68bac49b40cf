import { Link } from '@tanstack/react-router';
import { Route as RouteIcon } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { popularWays, type PopularWay } from '#contract/discover/endpoints.ts';
import { useConfig } from '../../core/config.ts';
import { LoadMore } from '../../core/paginated-list.tsx';
import { usePaginatedCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { LocateButton } from '../../map/locate-button.tsx';
import { usePosition } from '../../map/position.ts';
import type { MapPin } from '../../map/shapes.ts';
import { areaKeyOf } from '../../features/discover/area-key.ts';
import { DiscoverFrame, useDiscoverQuery } from '../../features/discover/frame.tsx';
import { PhoneMap } from '../../features/discover/phone-map.tsx';
import { useAreaRoute } from '../../features/discover/use-area-route.ts';
import { CommuteCard } from '../../features/discover/commute-card.tsx';
import { useBackdrop } from '../../map/backdrop.tsx';
import { buttonVariants } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { CommuteActions } from './commute-actions.tsx';

const usePopularCommutes = (at: readonly [number, number] | undefined) =>
  usePaginatedCall(
    popularWays,
    { lon: at?.[0] ?? 0, lat: at?.[1] ?? 0 },
    { items: (answer) => answer.ways, total: (answer) => answer.total, enabled: at !== undefined },
  );

/** Commutes that many travel; one of them drawn on the map. */
export function PopularCommutes({ unreadAlerts }: { unreadAlerts: number }) {
  const { t } = useTranslation('discover');
  const { asMap, show } = useDiscoverQuery();
  const { data: config } = useConfig();
  const position = usePosition();
  const commutes = usePopularCommutes(position.at ?? config?.region.center);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { items } = commutes;
  const chosen = items.find(({ id }) => id === chosenId) ?? items[0];
  const drawing = useCommutesDrawing(items, chosen);
  // One pin stands for all commutes from a neighborhood: each tap shows the next of them.
  const pick = useCallback(
    (area: string) => {
      const fromThere = items.filter((commute) => areaKeyOf(commute) === area);
      const index = fromThere.findIndex(({ id }) => id === chosen?.id);
      const next = fromThere[(index + 1) % fromThere.length];
      if (next !== undefined) setChosenId(next.id);
    },
    [items, chosen?.id],
  );
  const backdrop = useMemo(
    () => ({ ...drawing, own: position.at, onPin: pick }),
    [drawing, position.at, pick],
  );
  useBackdrop(backdrop);

  return (
    <DiscoverFrame unreadAlerts={unreadAlerts} tools={<LocateButton position={position} />}>
      <QueryView query={commutes} failed={t('ways.failed')} skeleton={{ kind: 'cards' }}>
        {() =>
          chosen === undefined ? (
            <NoCommutes fewest={commutes.first?.fewest ?? 0} />
          ) : asMap ? (
            <PhoneMap
              drawing={drawing}
              own={position.at}
              onPin={pick}
              card={
                <CommuteCard commute={chosen} chosen={false}>
                  <CommuteActions commute={chosen} prominent />
                </CommuteCard>
              }
            />
          ) : (
            <WaysList
              commutes={commutes}
              chosen={chosen}
              onChoose={(id) => {
                setChosenId(id);
                show({ map: true });
              }}
            />
          )
        }
      </QueryView>
    </DiscoverFrame>
  );
}

function NoCommutes({ fewest }: { fewest: number }) {
  const { t } = useTranslation('discover');
  return (
    <EmptyState
      icon={<RouteIcon />}
      title={t('ways.emptyTitle')}
      text={t('ways.emptyText', { count: fewest })}
      action={
        <Link to="/" className={buttonVariants({ small: true })}>
          {t('empty.offerRide')}
        </Link>
      }
    />
  );
}

function WaysList({
  commutes,
  chosen,
  onChoose,
}: {
  commutes: ReturnType<typeof usePopularCommutes>;
  chosen: PopularWay;
  onChoose: (id: string) => void;
}) {
  const { t } = useTranslation('discover');
  return (
    <>
      <p className="text-small text-ink-2">{t('ways.intro', { count: commutes.first?.fewest ?? 0 })}</p>
      <ul aria-label={t('ways.list')} className="flex flex-col gap-3">
        {commutes.items.map((commute) => (
          <li key={commute.id}>
            <CommuteCard
              commute={commute}
              chosen={commute.id === chosen.id}
              onChoose={() => onChoose(commute.id)}
            >
              <CommuteActions commute={commute} prominent={commute.id === chosen.id} />
            </CommuteCard>
          </li>
        ))}
      </ul>
      <LoadMore pages={commutes} />
    </>
  );
}

/**
 * Where commutes begin, with how many people the busiest of them has; and the one chosen, along the roads.
 */
function useCommutesDrawing(commutes: readonly PopularWay[], chosen: PopularWay | undefined) {
  const { t } = useTranslation('discover');
  const route = useAreaRoute(chosen);
  return useMemo(() => {
    const starts = new Map<string, MapPin>();
    for (const commute of commutes) {
      const { from, people } = commute;
      const id = areaKeyOf(commute);
      if (starts.has(id) || (chosen !== undefined && id === areaKeyOf(chosen))) continue;
      starts.set(id, {
        id,
        lon: from.lon,
        lat: from.lat,
        kind: 'pickup',
        letter: String(people),
        label: t('ways.pin', { name: from.name, count: people }),
      });
    }
    if (chosen === undefined) return { pins: [...starts.values()], routes: [], fit: [] };
    const { from, to } = chosen;
    const pins: MapPin[] = [
      ...starts.values(),
      { id: areaKeyOf(chosen), lon: from.lon, lat: from.lat, kind: 'origin', letter: 'A', label: from.name },
      { id: 'to', lon: to.lon, lat: to.lat, kind: 'destination', letter: 'B', label: to.name },
    ];
    return { pins, routes: route.routes, fit: route.fit };
  }, [commutes, chosen, route, t]);
}
