import { greatCircleMetres, type LonLat } from './geometry.ts';
import { packWeight, type Weight } from './weight.ts';

/** How much longer a drive is than the great circle, where no road is known. */
const DETOUR_FACTOR = 1.35;

/** How far beyond a region's gateways a point may lie: 500 miles. */
export const OUTSIDE_LIMIT_METRES = 804_672;

const METRES_PER_MS_AT_1_MPH = 0.44704 / 1000;

/**
 * Speeds of a drive without a known route, by distance from its start: the first kilometers in town at 25
 * mph, then 45 mph, the rest at a highway's 65 mph. Speeds only ever rise, so two drives one after the other
 * never take less than one drive of both lengths: the estimate obeys the triangle inequality.
 */
const OUTSIDE_SPEEDS = [
  { untilMetres: 6_000, mph: 25 },
  { untilMetres: 20_000, mph: 45 },
  { untilMetres: Infinity, mph: 65 },
] as const;

/** Estimated driving time in whole milliseconds over a length of road in meters. */
export function outsideMilliseconds(roadMetres: number): number {
  let milliseconds = 0;
  let driven = 0;
  for (const { untilMetres, mph } of OUTSIDE_SPEEDS) {
    const stretch = Math.min(roadMetres, untilMetres) - driven;
    if (stretch <= 0) break;
    milliseconds += stretch / (mph * METRES_PER_MS_AT_1_MPH);
    driven += stretch;
  }
  return Math.round(milliseconds);
}

/** Estimated meters of road between two points with no road known: great circle × 1.35. */
export function outsideMetres(a: LonLat, b: LonLat): number {
  return greatCircleMetres(a, b) * DETOUR_FACTOR;
}

/** Estimated time and length between two points within OUTSIDE_LIMIT_METRES of a region. */
export function outsideWeight(a: LonLat, b: LonLat): Weight {
  const roadMetres = outsideMetres(a, b);
  return packWeight(outsideMilliseconds(roadMetres), Math.round(roadMetres * 10));
}
