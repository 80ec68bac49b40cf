import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import type { matchMap } from '#contract/rides/endpoints.ts';
import { detourParts } from './detour-parts.ts';
import { boundsOf, type Bounds, type LonLat, type MapPin, type MapRoute } from '../../map/shapes.ts';

type Lines = OutputOf<typeof matchMap>;

/**
 * Both ways on the map: the driver's own in ink, what the passenger adds to it in brand, walks dotted, and
 * the four points as emailed pins.
 */
export function useMatchDrawing(lines: Lines | undefined): {
  routes: MapRoute[];
  pins: MapPin[];
  fit: Bounds | null;
} {
  const { t } = useTranslation('planning');
  return useMemo(() => {
    if (!lines) return { routes: [], pins: [], fit: null };
    const { own, shared, pickup, dropoff, walks } = lines;
    const pins: MapPin[] = [
      ...end(own.line[0], {
        id: 'from',
        kind: 'origin',
        letter: t('letter.from'),
        label: t('map.driverStart'),
      }),
      ...end(own.line.at(-1), {
        id: 'to',
        kind: 'destination',
        letter: t('letter.to'),
        label: t('map.driverEnd'),
      }),
      { id: 'pickup', kind: 'pickup', letter: t('letter.pickup'), label: t('map.pickup'), ...pickup },
      { id: 'dropoff', kind: 'dropoff', letter: t('letter.dropoff'), label: t('map.dropoff'), ...dropoff },
    ];
    return {
      routes: [
        { line: own.line, kind: 'own' },
        ...detourParts(own.line, shared.line).map((line): MapRoute => ({ line, kind: 'detour' })),
        ...walks.map((line): MapRoute => ({ line, kind: 'walk' })),
      ],
      pins,
      fit: boundsOf([...own.line, ...shared.line, ...pins.map(({ lon, lat }): LonLat => [lon, lat])]),
    };
  }, [lines, t]);
}

const end = (at: readonly [number, number] | undefined, pin: Omit<MapPin, 'lon' | 'lat'>): MapPin[] =>
  at === undefined ? [] : [{ ...pin, lon: at[0], lat: at[1] }];
