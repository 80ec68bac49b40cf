import type { Bounds, LonLat } from './shapes.ts';

/** The side of the world at zoom 0, in pixels of the screen. */
const worldPx = 512;
/** The part of a region along each of its sides where the detailed map fades out. */
const fadingShare = 0.07;
/** Closer than this a first look shows streets, not the town. */
const closestFirstLook = 13.5;

const xOf = (lon: number): number => (lon + 180) / 360;
const yOf = (lat: number): number => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};
const lonOf = (x: number): number => x * 360 - 180;
const latOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

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
 * The first look at a region: as much of it around its town as fills the view to its edges, so that nothing
 * beyond the region shows. Of a region smaller than a neighborhood, its surroundings show as well.
 */
export function coverView(
  bounds: Bounds,
  town: LonLat,
  { widthPx, abovePx, belowPx }: ViewSize,
): { center: LonLat; zoom: number } {
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
  const scale = worldPx * 2 ** zoom;
  const half = widthPx / 2 / scale;
  const center: LonLat = [
    lonOf(within(x, [west, east], [half, half])),
    latOf(within(y, [north, south], [abovePx / scale, belowPx / scale])),
  ];
  return { center, zoom };
}
