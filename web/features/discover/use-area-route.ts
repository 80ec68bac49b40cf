import { useMemo } from 'react';
import type { Area } from '#contract/discover/endpoints.ts';
import { quote } from '#contract/rides/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import type { LonLat, MapRoute } from '../../map/shapes.ts';

/** The drive between two neighborhoods, to be drawn; the two alone until it is known. */
export function useAreaRoute(commute: { from: Area; to: Area } | undefined): {
  routes: MapRoute[];
  fit: LonLat[];
} {
  const [from, to] = [commute?.from, commute?.to];
  const { data } = useCall(
    quote,
    { fromLon: from?.lon ?? 0, fromLat: from?.lat ?? 0, toLon: to?.lon ?? 0, toLat: to?.lat ?? 0 },
    { enabled: commute !== undefined, quiet: true, staleTime: Infinity },
  );
  return useMemo(() => {
    const line = data?.route.line ?? [];
    const ends = [from, to].flatMap((end): LonLat[] => (end === undefined ? [] : [[end.lon, end.lat]]));
    return { routes: line.length === 0 ? [] : [{ line, kind: 'own' }], fit: [...ends, ...line] };
  }, [data, from, to]);
}
