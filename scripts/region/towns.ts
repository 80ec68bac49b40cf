import Flatbush from 'flatbush';
import { z } from 'zod';
import {
  greatCircleMetres,
  METRES_PER_DEGREE,
  metresPerDegreeLon,
  type LonLat,
} from '../../roads/graph/geometry.ts';
import type { Place } from '../../roads/places/places.ts';
import type { TigerRange } from './tiger.ts';

/**
 * A place written by hand; a town may say which postcodes are its own. Fields are in the order in which packs
 * write them.
 */
export const handPlace = z.object({
  id: z.string(),
  kind: z.enum(['town', 'street', 'address', 'place', 'airport']),
  category: z.string().optional(),
  name: z.string(),
  otherNames: z.array(z.string()).optional(),
  street: z.string().optional(),
  town: z.string().optional(),
  postcode: z.string().optional(),
  lon: z.number(),
  lat: z.number(),
  importance: z.number(),
  postcodes: z.array(z.string()).optional(),
}) satisfies z.ZodType<Place>;
export type HandPlace = z.output<typeof handPlace>;

/** An address range this near tells the postcode of a point. */
const POSTCODE_METRES = 500;

/**
 * Finds town and postcode of a point: by the postcode of the nearest house numbers, else by the nearest town.
 */
export function townFinder(
  towns: HandPlace[],
  ranges: TigerRange[],
): (at: LonLat, postcode?: string) => { town?: string; postcode?: string } {
  const townOfPostcode = new Map(
    towns.flatMap(({ name, postcodes }) => (postcodes ?? []).map((code) => [code, name])),
  );
  const located = ranges.filter(({ postcode }) => postcode !== undefined);
  const tree = located.length > 0 ? new Flatbush(located.length) : null;
  for (const { range } of located) {
    const [lon, lat] = range.line[range.line.length >> 1]!;
    tree?.add(lon, lat);
  }
  tree?.finish();
  const postcodeAt = (at: LonLat): string | undefined => {
    const dLat = POSTCODE_METRES / METRES_PER_DEGREE;
    const dLon = POSTCODE_METRES / metresPerDegreeLon(at.lat);
    let nearest = POSTCODE_METRES;
    let postcode: string | undefined;
    for (const i of tree?.search(at.lon - dLon, at.lat - dLat, at.lon + dLon, at.lat + dLat) ?? []) {
      const { range, postcode: found } = located[i]!;
      const [lon, lat] = range.line[range.line.length >> 1]!;
      const metres = greatCircleMetres(at, { lon, lat });
      if (metres >= nearest) continue;
      nearest = metres;
      postcode = found;
    }
    return postcode;
  };
  const nearestTown = nearestTownFinder(towns);
  return (at, stated) => {
    const postcode = stated ?? postcodeAt(at);
    const town = (postcode && townOfPostcode.get(postcode)) || nearestTown(at);
    return { ...(town && { town }), ...(postcode && { postcode }) };
  };
}

/** The nearest of all towns. Degrees are not metres, so the nearest few by degrees are measured. */
function nearestTownFinder(towns: HandPlace[]): (at: LonLat) => string | undefined {
  if (towns.length === 0) return () => undefined;
  // As wide as it is at the middle of the towns, a degree of longitude counts less than one of latitude.
  const narrow =
    metresPerDegreeLon(towns.reduce((sum, { lat }) => sum + lat, 0) / towns.length) / METRES_PER_DEGREE;
  const tree = new Flatbush(towns.length);
  for (const { lon, lat } of towns) tree.add(lon * narrow, lat);
  tree.finish();
  return (at) => {
    let best: string | undefined;
    let bestMetres = Infinity;
    for (const i of tree.neighbors(at.lon * narrow, at.lat, 16)) {
      const metres = greatCircleMetres(towns[i]!, at);
      if (metres >= bestMetres) continue;
      best = towns[i]!.name;
      bestMetres = metres;
    }
    return best;
  };
}
