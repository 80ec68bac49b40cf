import type { LonLat } from '#roads/graph/geometry.ts';
import type { RoadNetwork, RoadPoint } from '#roads/graph/network.ts';

/** Maximum latest points in the cache, and of those used before them. */
const mostPoints = 50_000;

type PointsByPlace = Map<number, Map<number, RoadPoint | null>>;

/**
 * The road points of places as `network.snap` finds them, with a cache of the latest. The cache is keyed by
 * the two numbers of a place, as a text of both takes longer to make than the rest.
 */
export function keepPoints(network: RoadNetwork, most = mostPoints): (at: LonLat) => RoadPoint | null {
  let young: PointsByPlace = new Map();
  let old: PointsByPlace = new Map();
  let count = 0;
  return (at) => {
    const { lon, lat } = at;
    const kept = young.get(lon)?.get(lat);
    if (kept !== undefined) return kept;
    const before = old.get(lon)?.get(lat);
    const point = before === undefined ? network.snap(at) : before;
    if (count === most) {
      [old, young, count] = [young, new Map(), 0];
    }
    const ofMeridian = young.get(lon);
    if (ofMeridian === undefined) young.set(lon, new Map([[lat, point]]));
    else ofMeridian.set(lat, point);
    count++;
    return point;
  };
}
