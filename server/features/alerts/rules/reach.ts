import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';

/** No road is driven faster; 200 km/h. */
export const topMetresPerMs = 200 / 3600;

/**
 * Whether a car could drive from `start` to `end` by way of `pickup` and `dropoff` in `mostMs`, if there were
 * a fast straight road everywhere, and the passenger walked towards it at both ends. False is certain:
 * whatever stops lie between, the real drive takes longer still.
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

/** Places stand a little beside their roads. */
const snapMs = 60_000;
