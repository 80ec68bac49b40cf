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

/** The middle of a span as near to a point as a view of a length allows that leaves the span nowhere. */
const within = (wanted: number, from: number, to: number, length: number): number =>
  length >= to - from ? (from + to) / 2 : Math.min(to - length / 2, Math.max(from + length / 2, wanted));

/** The least zoom at which bounds fill a view: nothing beyond them shows. */
export function coveringZoom([west, south, east, north]: Bounds, widthPx: number, heightPx: number): number {
  const [wide, high] = [xOf(east) - xOf(west), yOf(south) - yOf(north)];
  return Math.log2(Math.max(widthPx / wide, heightPx / high) / worldPx);
}

/**
 * The first look at a region: as much of it as fills the view to its edges, around its town. Of a region
 * smaller than a neighborhood, its surroundings show as well.
 */
export function coverView(
  bounds: Bounds,
  town: LonLat,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): { center: LonLat; zoom: number } {
  const [wide, high] = [(bounds[2] - bounds[0]) * fadingShare, (bounds[3] - bounds[1]) * fadingShare];
  const [west, south, east, north] = [bounds[0] + wide, bounds[1] + high, bounds[2] - wide, bounds[3] - high];
  const zoom = Math.min(closestFirstLook, coveringZoom([west, south, east, north], widthPx, heightPx));
  const scale = worldPx * 2 ** zoom;
  const x = within(xOf(town[0]), xOf(west), xOf(east), widthPx / scale);
  const y = within(yOf(town[1]), yOf(north), yOf(south), heightPx / scale);
  return { center: [lonOf(x), latOf(y)], zoom };
}
