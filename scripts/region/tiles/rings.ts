import { boxOf, reversedPath, ringArea, type Path } from './shape.ts';

/**
 * The rings of a multipolygon from the lines of its ways, as a shape wants them: each outer ring before its
 * holes. Lines that do not close, because the extract ends on the way, are left out.
 */
export function assembleRings(outer: readonly Path[], inner: readonly Path[]): Path[] {
  const outers = closedRings(outer).map((ring) => (ringArea(ring) < 0 ? reversedPath(ring) : ring));
  const holes = closedRings(inner).map((ring) => (ringArea(ring) > 0 ? reversedPath(ring) : ring));
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

/** Puts lines together, end to end, and gives those that close. */
function closedRings(lines: readonly Path[]): Path[] {
  const rings: Path[] = [];
  const left = new Set(lines.filter((line) => line.length > 2));
  const touching = new Map<string, Path[]>();
  for (const line of left) {
    for (const end of [endOf(line, 0), endOf(line, line.length - 2)])
      touching.set(end, [...(touching.get(end) ?? []), line]);
  }
  for (const first of left) {
    left.delete(first);
    const ring = [...first];
    for (;;) {
      const end = endOf(ring, ring.length - 2);
      if (end === endOf(ring, 0)) break;
      const next = touching.get(end)?.find((line) => left.has(line));
      if (!next) break;
      left.delete(next);
      const onward = endOf(next, 0) === end ? next : reversedPath(next);
      for (let i = 2; i < onward.length; i++) ring.push(onward[i]!);
    }
    if (ring.length >= 8 && endOf(ring, 0) === endOf(ring, ring.length - 2)) rings.push(ring);
  }
  return rings;
}

function endOf(line: Path, at: number): string {
  return `${line[at]},${line[at + 1]}`;
}

function isInside(x: number, y: number, ring: Path): boolean {
  let inside = false;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
