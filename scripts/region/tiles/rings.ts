import { boxOf, isInside, reversedPath, ringArea, type Path } from './shape.ts';

/** West, north, east, south of the extract, in the coordinates of paths. */
export type Box = readonly [west: number, north: number, east: number, south: number];

/**
 * The rings of a multipolygon from the lines of its ways, as a shape wants them: each outer ring before its
 * holes. Lines that the extract's edge cuts are closed along that edge, the short way round; lines that end
 * inside it are left out.
 */
export function assembleRings(outer: readonly Path[], inner: readonly Path[], extract?: Box): Path[] {
  const outers = closedRings(outer, extract).map((ring) => (ringArea(ring) < 0 ? reversedPath(ring) : ring));
  const holes = closedRings(inner, extract).map((ring) => (ringArea(ring) > 0 ? reversedPath(ring) : ring));
  const boxes = outers.map((ring) => boxOf([ring]));
  const holesOf = Map.groupBy(holes, (hole) =>
    outers.findIndex((ring, i) => {
      const [west, north, east, south] = boxes[i]!;
      const [x, y] = [hole[0]!, hole[1]!];
      return x >= west && x <= east && y >= north && y <= south && isInside(x, y, ring);
    }),
  );
  return outers.flatMap((ring, i) => [ring, ...(holesOf.get(i) ?? [])]);
}

/** Puts lines together, end to end, and gives those that close, by themselves or along the extract's edge. */
function closedRings(lines: readonly Path[], extract: Box | undefined): Path[] {
  const rings: Path[] = [];
  const left = new Set(lines.filter((line) => line.length > 2));
  const touching = new Map<string, Path[]>();
  for (const line of left) {
    for (const end of [endOf(line, 0), endOf(line, line.length - 2)])
      touching.set(end, [...(touching.get(end) ?? []), line]);
  }
  const grown = (start: Path): Path => {
    const ring = [...start];
    for (;;) {
      const end = endOf(ring, ring.length - 2);
      if (end === endOf(ring, 0)) return ring;
      const next = touching.get(end)?.find((line) => left.has(line));
      if (!next) return ring;
      left.delete(next);
      const onward = endOf(next, 0) === end ? next : reversedPath(next);
      for (let i = 2; i < onward.length; i++) ring.push(onward[i]!);
    }
  };
  for (const first of left) {
    left.delete(first);
    let ring = grown(first);
    // A line that stays open grows at its other end too.
    if (!isClosed(ring)) ring = grown(reversedPath(ring));
    if (!isClosed(ring) && extract !== undefined) ring = closedAlong(ring, extract) ?? ring;
    if (ring.length >= 8 && isClosed(ring)) rings.push(ring);
  }
  return rings;
}

const isClosed = (line: Path): boolean => endOf(line, 0) === endOf(line, line.length - 2);

/** How near to the edge, as a share of the extract's side, a line must end to have been cut there. */
const CUT_SHARE = 0.02;

/** A line whose two ends the extract has cut, closed along its edge; null where one ends inside. */
function closedAlong(line: Path, extract: Box): Path | null {
  const [from, to] = [line.length - 2, 0].map((at) => edgeAt(line[at]!, line[at + 1]!, extract));
  if (from === undefined || to === undefined || from === null || to === null) return null;
  const [west, north, east, south] = extract;
  const corners = [west, south, east, south, east, north, west, north];
  const corner = (k: number) => [corners[2 * (((k % 4) + 4) % 4)]!, corners[2 * (((k % 4) + 4) % 4) + 1]!];
  const around = (to - from + 4) % 4;
  const between: number[] = [];
  if (around <= 2) for (let k = Math.ceil(from); k < from + around; k++) between.push(...corner(k));
  else for (let k = Math.floor(from); k > from - (4 - around); k--) between.push(...corner(k));
  return [...line, ...between, line[0]!, line[1]!];
}

/**
 * Where a point lies along the extract's edge, counted 0 to 4 counterclockwise from its south-west corner;
 * null where it lies inside.
 */
function edgeAt(x: number, y: number, [west, north, east, south]: Box): number | null {
  const u = Math.min(1, Math.max(0, (x - west) / (east - west)));
  const v = Math.min(1, Math.max(0, (south - y) / (south - north)));
  const distances = [v, 1 - u, 1 - v, u];
  const nearest = Math.min(...distances);
  if (nearest > CUT_SHARE) return null;
  return [u, 1 + v, 3 - u, 4 - v][distances.indexOf(nearest)]!;
}

function endOf(line: Path, at: number): string {
  return `${line[at]},${line[at + 1]}`;
}
