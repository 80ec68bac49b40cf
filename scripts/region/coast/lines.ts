import { greatCircleMetres, type Bounds } from '../../../roads/graph/geometry.ts';

export type Point = readonly [lon: number, lat: number];

/**
 * Ways of a coast put together end to end: those that close, without their last point, and those that do not.
 */
export interface Coastlines {
  rings: Point[][];
  lines: Point[][];
}

/** A run of a coast's nodes that the extract holds: their ids and where they are. */
export interface Run {
  ids: readonly number[];
  points: readonly Point[];
}

/**
 * Puts runs together where one ends and another begins. The direction counts: land lies to the left of it.
 * @returns null where two coasts begin at one place, so that it is not known which goes on.
 */
export function joinedRuns(runs: readonly Run[]): Coastlines | null {
  const byStart = new Map(runs.map((run) => [run.ids[0]!, run]));
  if (byStart.size < runs.length) return null;
  const ends = new Set(runs.map(({ ids }) => ids.at(-1)!));
  const left = new Set(runs);
  const coast: Coastlines = { rings: [], lines: [] };
  // Lines first, each from where none leads to it; what is left then are rings.
  for (const isLine of [true, false]) {
    for (const first of runs) {
      if (!left.has(first) || (isLine && ends.has(first.ids[0]!))) continue;
      const points: Point[] = [...first.points];
      let last = first;
      left.delete(first);
      for (let next = byStart.get(last.ids.at(-1)!); next && left.has(next);) {
        for (const point of next.points.slice(1)) points.push(point);
        left.delete(next);
        last = next;
        next = byStart.get(last.ids.at(-1)!);
      }
      if (first.ids[0] === last.ids.at(-1)) coast.rings.push(points.slice(0, -1));
      else coast.lines.push(points);
    }
  }
  return coast;
}

/** The pieces of a coast inside a rectangle, from border to border, and the rings that lie inside whole. */
export interface ClippedCoast {
  rings: Point[][];
  pieces: Point[][];
}

/** A coast that ends this near the border, as a share of the rectangle's larger side, was cut off there. */
const BORDER_SHARE = 0.04;

/** Cuts a coast at a rectangle; null where it ends in the midst of it. */
export function clippedCoast({ rings, lines }: Coastlines, bounds: Bounds): ClippedCoast | null {
  const clipped: ClippedCoast = { rings: [], pieces: [] };
  for (const ring of rings) {
    const outside = ring.findIndex((point) => !isInside(point, bounds));
    if (outside < 0) clipped.rings.push(ring);
    // Begun outside, a ring is a line like any other.
    else clipped.pieces.push(...clippedLine([...ring.slice(outside), ...ring.slice(0, outside + 1)], bounds));
  }
  for (const line of lines) {
    const pieces = clippedLine(line, bounds);
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (first && first[0] === line[0]) {
      const lead = ledToBorder(line[0]!, bounds);
      if (!lead) return null;
      first.unshift(lead);
    }
    if (last && last.at(-1) === line.at(-1)) {
      const lead = ledToBorder(line.at(-1)!, bounds);
      if (!lead) return null;
      last.push(lead);
    }
    clipped.pieces.push(...pieces);
  }
  return clipped;
}

function isInside([lon, lat]: Point, [west, south, east, north]: Bounds): boolean {
  return lon >= west && lon <= east && lat >= south && lat <= north;
}

/** The point of the border that a loose end is led to; null where the border is too far. */
function ledToBorder([lon, lat]: Point, [west, south, east, north]: Bounds): Point | null {
  const metresTo = ([toLon, toLat]: Point) => greatCircleMetres({ lon, lat }, { lon: toLon, lat: toLat });
  const sides: Point[] = [
    [west, lat],
    [east, lat],
    [lon, south],
    [lon, north],
  ];
  const [nearest] = sides.toSorted((a, b) => metresTo(a) - metresTo(b)) as [Point];
  const size = Math.max(
    greatCircleMetres({ lon: west, lat }, { lon: east, lat }),
    greatCircleMetres({ lon, lat: south }, { lon, lat: north }),
  );
  return metresTo(nearest) <= size * BORDER_SHARE ? nearest : null;
}

/** The parts of a line inside a rectangle. */
function clippedLine(line: readonly Point[], bounds: Bounds): Point[][] {
  const pieces: Point[][] = [];
  let open: Point[] | null = null;
  for (let i = 1; i < line.length; i++) {
    const span = spanInside(line[i - 1]!, line[i]!, bounds);
    if (!span) {
      open = null;
      continue;
    }
    const [from, to] = span;
    if (!open || from > 0) pieces.push((open = [along(line[i - 1]!, line[i]!, from)]));
    open.push(along(line[i - 1]!, line[i]!, to));
    if (to < 1) open = null;
  }
  return pieces.filter((piece) => piece.some(([lon, lat]) => lon !== piece[0]![0] || lat !== piece[0]![1]));
}

function along(a: Point, b: Point, share: number): Point {
  if (share === 0) return a;
  return share === 1 ? b : [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

/** From where to where a stretch lies inside, as shares of its length (Liang and Barsky). */
function spanInside(a: Point, b: Point, [west, south, east, north]: Bounds): [number, number] | null {
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [a[0] - b[0], a[0] - west],
    [b[0] - a[0], east - a[0]],
    [a[1] - b[1], a[1] - south],
    [b[1] - a[1], north - a[1]],
  ] as const) {
    if (step === 0 && room < 0) return null;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from < to ? [from, to] : null;
}
