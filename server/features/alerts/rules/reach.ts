import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';

/** No road is driven faster; 200 km/h. */
export const topMetresPerMs = 200 / 3600;

/**
 * Whether a car could drive from `start` to `end` through `pickup` and `dropoff` in `mostMs` on straight fast
 * roads, with the passenger walking towards it at both ends. False is certain: the real drive takes longer,
 * whatever stops lie between.
 */
export const mayReach = (
  ends: { start: LonLat; end: LonLat },
  wish: { pickup: LonLat; dropoff: LonLat },
  mostMs: number,
  walkMetres: number,
): boolean =>
  (greatCircleMetres(ends.start, wish.pickup) +
    greatCircleMetres(wish.pickup, wish.dropoff) +
    greatCircleMetres(wish.dropoff, ends.end) -
    4 * walkMetres) /
    topMetresPerMs <=
  mostMs + snapMs;

/** Places lie a little off their roads. */
const snapMs = 60_000;

/**
 * The farthest in a straight line that a passenger can be from the nearer end of a drive, by the same rule:
 * the ways from there to both ends are no longer than the whole drive.
 */
export const farthestMetres = (mostMs: number, walkMetres: number): number =>
  ((mostMs + snapMs) * topMetresPerMs + 4 * walkMetres) / 2;
