import { minuteMs } from '../../../platform/clock.ts';
import type { OutputOf } from '#contract/define.ts';
import type { tryRegion } from '#contract/setup/endpoints.ts';
import type { GeoService } from '../../geo/service.ts';

type Tried = OutputOf<typeof tryRegion>;

/** Finds a place in the region pack, and a route to it from the region's center. */
export async function tryPack(
  geo: Pick<GeoService, 'packs' | 'region' | 'network' | 'placesOfPack'>,
): Promise<Tried> {
  const [pack] = geo.packs;
  const hasMap = geo.packs.some((each) => each.hasMap);
  const tried = { place: '', minutes: null, hasMap };
  if (pack === undefined) return { ...tried, outcome: 'none', places: 0 };
  const found = await geo.placesOfPack(pack.name);
  const places = geo.packs.reduce((sum, { placesCount }) => sum + placesCount, 0);
  const { network } = geo;
  const [lon, lat] = pack.center;
  const from = network.snap({ lon, lat });
  // The most important places first, which people know.
  for (const place of found.toSorted((a, b) => b.importance - a.importance).slice(0, 20)) {
    const to = network.snap(place);
    const drive = from === null || to === null ? null : network.travel(from, to);
    if (drive !== null && drive.milliseconds > minuteMs)
      return {
        ...tried,
        outcome: 'read',
        places,
        place: place.name,
        minutes: Math.round(drive.milliseconds / minuteMs),
      };
  }
  return { ...tried, outcome: found.length === 0 ? 'noPlaces' : 'noRoute', places };
}
