import type { OutputOf } from '#contract/define.ts';
import type { tryRegion } from '#contract/setup/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { packInfos, placesOfPack, roadNetwork } from '../../geo/service.ts';

type Tried = OutputOf<typeof tryRegion>;

/** Finds a place in the region pack, and a route to it from the region's center. */
export async function tryPack(app: App): Promise<Tried> {
  const [pack] = packInfos(app);
  const hasMap = packInfos(app).some((each) => each.hasMap);
  const tried = { place: '', minutes: null, hasMap };
  if (pack === undefined) return { ...tried, outcome: 'none', places: 0 };
  const found = await placesOfPack(app, pack.name);
  const places = packInfos(app).reduce((sum, { placesCount }) => sum + placesCount, 0);
  const network = roadNetwork(app);
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
