import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { quote } from '#contract/rides/endpoints.ts';
import type { Place } from '#contract/units.ts';
import { useConfig } from '../../core/config.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { useCall } from '../../core/queries.ts';
import { boundsOf, type Bounds, type MapPin, type MapRoute } from '../../map/shapes.ts';

export type Quote = OutputOf<typeof quote>;

export interface PlannedRoute {
  quote: Quote | null;
  /** IANA zone of the starting place; the region's until a place is chosen. */
  zone: string | null;
  pending: boolean;
  /** Why there is no route, with the field to blame. */
  refusal: { field: 'from' | 'via' | 'to'; words: string } | null;
  /** Reads it again after a lost connection. */
  failed: (() => void) | null;
}

const noStops: readonly Place[] = [];

/**
 * The route between two chosen places, through stops: line, miles, minutes, zone and the advised share.
 * @param of.local when it begins on the clocks of the starting place, `2026-11-24T08:15`: its minutes are
 *   those of that hour's traffic; empty while no time is chosen.
 */
export function usePlannedRoute(
  from: Place | null,
  to: Place | null,
  { via = noStops, local = '' }: { via?: readonly Place[]; local?: string } = {},
): PlannedRoute {
  const { data: config } = useConfig();
  const complete = from !== null && to !== null;
  const places = {
    fromLon: from?.lon ?? 0,
    fromLat: from?.lat ?? 0,
    toLon: to?.lon ?? 0,
    toLat: to?.lat ?? 0,
    ...(via.length === 0 ? {} : { via: via.map(({ lon, lat }) => `${lon},${lat}`).join(';') }),
  };
  const localHour = /^\d{4}-\d\d-\d\dT\d\d/.exec(local)?.[0];
  const { data, error, isFetching, refetch } = useCall(
    quote,
    { ...places, ...(localHour === undefined ? {} : { localHour }) },
    {
      enabled: complete,
      quiet: true,
      staleTime: 10 * 60_000,
      // Another hour is the same way.
      keepPrevious: (previous) => isSameWay(previous, places),
    },
  );
  const shown = complete ? (data ?? null) : null;
  const refused = complete && error instanceof Refused ? error : null;
  return {
    quote: shown,
    zone: shown?.timeZone ?? config?.region.timeZone ?? null,
    pending: complete && isFetching && shown === null,
    refusal: refused && {
      field: 'from' in refused.fields ? 'from' : 'to' in refused.fields ? 'to' : 'via',
      words: errorWords(refused),
    },
    failed: complete && error !== null && refused === null ? () => void refetch() : null,
  };
}

const isSameWay = (
  a: Readonly<Record<string, unknown>>,
  b: { fromLon: number; fromLat: number; toLon: number; toLat: number; via?: string },
): boolean =>
  a['fromLon'] === b.fromLon &&
  a['fromLat'] === b.fromLat &&
  a['toLon'] === b.toLon &&
  a['toLat'] === b.toLat &&
  a['via'] === b.via;

/** What the map shows of a plan: its two places and the line between them. */
export function usePlannedRouteOnMap(
  from: Place | null,
  to: Place | null,
  quoted: Quote | null,
  via: readonly Place[] = noStops,
): { routes: MapRoute[]; pins: MapPin[]; fit: Bounds | null } {
  const { t } = useTranslation('planning');
  const [a, b] = [t('letter.from'), t('letter.to')];
  return useMemo(() => {
    const pins: MapPin[] = [];
    if (from) pins.push({ id: 'from', kind: 'origin', letter: a, label: from.name, ...at(from) });
    via.forEach((stop, index) =>
      pins.push({
        id: `via-${index}`,
        kind: 'via',
        letter: String(index + 1),
        label: stop.name,
        ...at(stop),
      }),
    );
    if (to) pins.push({ id: 'to', kind: 'destination', letter: b, label: to.name, ...at(to) });
    const routes: MapRoute[] = quoted ? [{ line: quoted.route.line, kind: 'own' }] : [];
    const points = [...pins.map(({ lon, lat }) => [lon, lat] as const), ...(quoted?.route.line ?? [])];
    return { routes, pins, fit: boundsOf(points) };
  }, [from, to, via, quoted, a, b]);
}

const at = ({ lon, lat }: Place) => ({ lon, lat });
