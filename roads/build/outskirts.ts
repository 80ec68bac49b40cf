import Flatbush from 'flatbush';
import { greatCircleMetres, METRES_PER_DEGREE, metresPerDegreeLon, type LonLat } from '../graph/geometry.ts';

/** So far beyond the end of a road no other road may follow. */
const BEYOND_METRES = 3_000;
/** Points less than this far off its direction are beyond it. */
const CONE_RADIANS = (35 * Math.PI) / 180;
/** The next lamp post or driveway says nothing of where the roads end. */
const NEAR_METRES = 30;

/**
 * Tells whether a road is the last one on its way out of the roads: no other lies beyond its end, in the
 * direction in which it ends there.
 * @param nodes of all roads.
 */
export function outskirtsOf(nodes: readonly LonLat[]): (before: LonLat, end: LonLat) => boolean {
  const index = new Flatbush(Math.max(1, nodes.length));
  for (const { lon, lat } of nodes) index.add(lon, lat);
  if (nodes.length === 0) index.add(0, 0);
  index.finish();
  return (before, end) => {
    const eastMetres = metresPerDegreeLon(end.lat);
    const angleTo = (from: LonLat, to: LonLat) =>
      Math.atan2((to.lat - from.lat) * METRES_PER_DEGREE, (to.lon - from.lon) * eastMetres);
    const heading = angleTo(before, end);
    const [reachLon, reachLat] = [BEYOND_METRES / eastMetres, BEYOND_METRES / METRES_PER_DEGREE];
    const around = [end.lon - reachLon, end.lat - reachLat, end.lon + reachLon, end.lat + reachLat] as const;
    let isLast = true;
    index.search(...around, (at) => {
      const node = nodes[at]!;
      const metres = greatCircleMetres(end, node);
      if (metres < NEAR_METRES || metres > BEYOND_METRES) return false;
      const off = Math.abs(angleTo(end, node) - heading);
      if (Math.min(off, 2 * Math.PI - off) < CONE_RADIANS) isLast = false;
      return false;
    });
    return isLast;
  };
}
