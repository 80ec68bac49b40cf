import { greatCircleMetres, type LonLat } from '../graph/geometry.ts';
import { ROAD_CLASSES } from '../build/profile.ts';

/** A stop within a passenger's walk, with what the choice depends on. */
export interface ReachedStop extends LonLat {
  walkDecimetres: number;
  /** The class of its road, an index into ROAD_CLASSES. */
  rank: number;
  /** Index of the street's name, -1 when nameless. */
  name: number;
}

/** How many meters from all other places one meter on such a road is worth: drivers pass by on main roads. */
const CLASS_WEIGHT: Partial<Record<(typeof ROAD_CLASSES)[number], number>> = {
  trunk: 4,
  primary: 4,
  primary_link: 4,
  secondary: 3,
  secondary_link: 3,
  tertiary: 2,
  tertiary_link: 2,
  service: 0.5,
  track: 0.5,
};
const WEIGHT_OF_RANK = ROAD_CLASSES.map((roadClass) => CLASS_WEIGHT[roadClass] ?? 1);

/**
 * The meeting points that serve drivers best. The rule: choose, repeatedly, the place that lies farthest from
 * the door and from all places chosen so far, where each meter counts four times on a primary road, three
 * times on a secondary, twice on a tertiary and half on a service road or track.
 *
 * So the first places are the far ends of the main roads within the walk, then places far from those: side
 * roads in other directions, the other bank of a river. Of two equally good places, the rule chooses the
 * shorter walk. docs/decisions/0009-meeting-points.md compares it with other rules.
 * @param door where the passenger is; the answer leaves out a stop at this exact place.
 * @param stops nearest first.
 * @returns at most `most` of them, nearest first.
 */
export function chooseStops(door: LonLat, stops: readonly ReachedStop[], most: number): ReachedStop[] {
  const apart = stops.map((stop) => greatCircleMetres(door, stop));
  const taken: number[] = [];
  while (taken.length < most) {
    let best = -1;
    let bestScore = 0;
    stops.forEach(({ rank }, i) => {
      const score = apart[i]! * WEIGHT_OF_RANK[rank]!;
      if (score <= bestScore) return;
      best = i;
      bestScore = score;
    });
    if (best < 0) break;
    taken.push(best);
    stops.forEach((stop, i) => {
      apart[i] = i === best ? 0 : Math.min(apart[i]!, greatCircleMetres(stops[best]!, stop));
    });
  }
  return taken.toSorted((a, b) => a - b).map((i) => stops[i]!);
}
