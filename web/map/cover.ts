import type { Camera } from './limits.ts';
import { latOf, lonOf, scaleAt, worldPx, xOf, yOf } from './mercator.ts';
import type { Bounds, LonLat } from './shapes.ts';

/** The part of a region along each of its sides where the detailed map fades out. */
const fadingShare = 0.07;
/** Closer than this a first view shows streets, not the town. */
const closestFirstLook = 13.5;

/** A point as near to another as a view allows that leaves the span nowhere. */
const within = (
  wanted: number,
  [from, to]: readonly [number, number],
  [before, after]: readonly [number, number],
): number =>
  before + after >= to - from
    ? (from + before + to - after) / 2
    : Math.min(to - after, Math.max(from + before, wanted));

/** A view by how much of it lies to either side of its middle: a sheet pushes that up. */
export interface ViewSize {
  widthPx: number;
  abovePx: number;
  belowPx: number;
}

/**
 * The first view of a region: as much of it around its town as fills the view to its edges, so that nothing
 * beyond the region shows. Of a region smaller than a neighborhood, its surroundings show as well.
 */
export function coverView(bounds: Bounds, town: LonLat, { widthPx, abovePx, belowPx }: ViewSize): Camera {
  const [wide, high] = [(bounds[2] - bounds[0]) * fadingShare, (bounds[3] - bounds[1]) * fadingShare];
  const [west, east] = [xOf(bounds[0] + wide), xOf(bounds[2] - wide)];
  const [north, south] = [yOf(bounds[3] - high), yOf(bounds[1] + high)];
  const [x, y] = [xOf(town[0]), yOf(town[1])];
  const needed = [
    [widthPx / 2, x - west],
    [widthPx / 2, east - x],
    [abovePx, y - north],
    [belowPx, south - y],
  ].map(([pixels = 0, span = 0]) => (span > 0 ? pixels / span : Infinity));
  const zoom = Math.min(closestFirstLook, Math.log2(Math.max(...needed) / worldPx));
  const scale = scaleAt(zoom);
  const half = widthPx / 2 / scale;
  const center: LonLat = [
    lonOf(within(x, [west, east], [half, half])),
    latOf(within(y, [north, south], [abovePx / scale, belowPx / scale])),
  ];
  return { center, zoom };
}
