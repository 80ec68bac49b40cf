import { insidePolygon, type Bounds } from '../../../roads/graph/geometry.ts';
import type { ClippedCoast, Point } from './lines.ts';

/** Outline and holes, each a ring whose last point is its first. */
export type Polygon = Point[][];

/** The parts into which a coast divides a rectangle. */
export interface Surfaces {
  land: Polygon[];
  sea: Polygon[];
}

/**
 * Land and sea of a rectangle, land lying to the left of every coast. Where a coast meets the border, the
 * areas are closed along it.
 * @returns null where the coast contradicts itself: two pieces side by side with the same area between them.
 */
export function surfacesOf({ pieces, rings }: ClippedCoast, bounds: Bounds): Surfaces | null {
  const land = leftOf({ pieces, rings }, bounds);
  const sea = leftOf(
    {
      pieces: pieces.map((piece) => piece.toReversed()),
      rings: rings.map((ring) => ring.toReversed()),
    },
    bounds,
  );
  return land && sea && { land, sea };
}

function leftOf({ pieces, rings }: ClippedCoast, bounds: Bounds): Polygon[] | null {
  const along = alongBorder(pieces, bounds);
  if (!along) return null;
  const outlines = [...along, ...rings.filter((ring) => area(ring) > 0)];
  const holes = rings.filter((ring) => area(ring) < 0);
  const isFree = (ring: Point[], around: Point[][]) =>
    !around.some((other) => other !== ring && isWithin(ring, other));
  if (pieces.length === 0 && holes.some((hole) => isFree(hole, outlines))) {
    // Nothing reaches the border, and the outermost coast has its other side outside: all around is this
    // side.
    if (outlines.some((outline) => isFree(outline, holes))) return null;
    outlines.push(rectangle(bounds));
  }
  const smallestFirst = outlines.toSorted((a, b) => area(a) - area(b));
  const polygons = new Map(outlines.map((outline): [Point[], Polygon] => [outline, [closed(outline)]]));
  for (const hole of holes) {
    const around = smallestFirst.find((outline) => isWithin(hole, outline));
    if (around) polygons.get(around)!.push(closed(hole));
  }
  return [...polygons.values()];
}

/** Rings of the pieces, each led along the border, anticlockwise, to where the next begins. */
function alongBorder(pieces: readonly Point[][], bounds: Bounds): Point[][] | null {
  const round = perimeter(bounds);
  const ends = pieces.flatMap((piece, index) => [
    { index, isStart: true, at: placeOnBorder(piece[0]!, bounds) },
    { index, isStart: false, at: placeOnBorder(piece.at(-1)!, bounds) },
  ]);
  // At one place, as at the corner of two pieces, an end comes before the start that goes on from it.
  ends.sort((a, b) => a.at - b.at || Number(a.isStart) - Number(b.isStart));
  const next = new Map<number, { index: number; corners: Point[] }>();
  for (const [i, end] of ends.entries()) {
    const after = ends[(i + 1) % ends.length]!;
    if (end.isStart === after.isStart) return null;
    if (end.isStart) continue;
    const to = after.at < end.at || i === ends.length - 1 ? after.at + round : after.at;
    next.set(end.index, { index: after.index, corners: cornersBetween(end.at, to, bounds) });
  }
  const rings: Point[][] = [];
  const left = new Set(pieces.keys());
  for (const first of left) {
    const ring: Point[] = [];
    for (let index = first; left.delete(index);) {
      const { index: after, corners } = next.get(index)!;
      for (const point of pieces[index]!) ring.push(point);
      ring.push(...corners);
      index = after;
    }
    rings.push(ring);
  }
  return rings;
}

function perimeter([west, south, east, north]: Bounds): number {
  return 2 * (east - west + north - south);
}

/** How far along the border a point lies, anticlockwise from the south-western corner. */
function placeOnBorder([lon, lat]: Point, [west, south, east, north]: Bounds): number {
  const [width, height] = [east - west, north - south];
  const sides = [
    { off: Math.abs(lat - south), at: lon - west },
    { off: Math.abs(lon - east), at: width + lat - south },
    { off: Math.abs(lat - north), at: width + height + east - lon },
    { off: Math.abs(lon - west), at: 2 * width + height + north - lat },
  ];
  return sides.reduce((best, side) => (side.off < best.off ? side : best)).at;
}

function cornersBetween(from: number, to: number, bounds: Bounds): Point[] {
  const round = perimeter(bounds);
  return [0, round]
    .flatMap((lap) =>
      rectangle(bounds).map((corner) => ({ corner, at: lap + placeOnBorder(corner, bounds) })),
    )
    .filter(({ at }) => at > from && at < to)
    .map(({ corner }) => corner);
}

/** The corners, anticlockwise from the south-western one. */
function rectangle([west, south, east, north]: Bounds): Point[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** Positive where a ring runs anticlockwise, so that its inside is to the left. */
function area(ring: readonly Point[]): number {
  const [x0, y0] = ring[0]!;
  let twice = 0;
  for (let i = 1; i + 1 < ring.length; i++) {
    twice += (ring[i]![0] - x0) * (ring[i + 1]![1] - y0) - (ring[i + 1]![0] - x0) * (ring[i]![1] - y0);
  }
  return twice / 2;
}

function isWithin(ring: readonly Point[], other: readonly Point[]): boolean {
  const [lon, lat] = ring[0]!;
  return insidePolygon({ lon, lat }, [other]);
}

function closed(ring: readonly Point[]): Point[] {
  return [...ring, ring[0]!];
}
