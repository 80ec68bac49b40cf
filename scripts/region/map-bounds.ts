import type { Bounds } from '../../roads/graph/geometry.ts';

/** So much of the surroundings is drawn at each side, as a part of the region's larger side. */
const beyondShare = 0.6;

/**
 * Computes the bounds of a region's map: the region, and around it as much as a wider extract holds, up to a
 * part of the region's size.
 * @throws Error where the wider extract does not hold the region.
 */
export function mapBoundsOf(region: Bounds, extract: Bounds, name: string): Bounds {
  const [west, south, east, north] = region;
  const holds = extract[0] <= west && extract[1] <= south && extract[2] >= east && extract[3] >= north;
  if (!holds) throw new Error(`${name} does not hold all of the region.`);
  // A degree of longitude is as long on the map as the cosine of the latitude of one of latitude.
  const narrowing = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const beyond = beyondShare * Math.max(east - west, (north - south) / narrowing);
  const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4;
  return [
    round(Math.max(extract[0], west - beyond)),
    round(Math.max(extract[1], south - beyond * narrowing)),
    round(Math.min(extract[2], east + beyond)),
    round(Math.min(extract[3], north + beyond * narrowing)),
  ];
}
