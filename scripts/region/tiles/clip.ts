import type { Kind, Path, Shape } from './shape.ts';

/** Left and right, or top and bottom, of the part that remains. */
type Span = [from: number, to: number];

/** The shapes inside a rectangle, cut at its sides; what lies outside is dropped. */
export function clipShapes(shapes: readonly Shape[], across: Span, down: Span): Shape[] {
  const inside: Shape[] = [];
  for (const shape of shapes) {
    const paths = clipPaths(clipPaths(shape.paths, shape.kind, 0, across), shape.kind, 1, down);
    if (paths.length > 0) inside.push(paths === shape.paths ? shape : { ...shape, paths });
  }
  return inside;
}

/** Cuts along one axis: 0 is x, 1 is y. Returns the very paths where all of them lie inside. */
function clipPaths(paths: Path[], kind: Kind, axis: 0 | 1, span: Span): Path[] {
  let [low, high] = [Infinity, -Infinity];
  for (const path of paths) {
    for (let i = axis; i < path.length; i += 2) {
      if (path[i]! < low) low = path[i]!;
      if (path[i]! > high) high = path[i]!;
    }
  }
  if (low >= span[0] && high <= span[1]) return paths;
  if (low > span[1] || high < span[0]) return [];
  if (kind === 'point') return paths.filter((path) => path[axis]! >= span[0] && path[axis]! <= span[1]);
  if (kind === 'line') return paths.flatMap((path) => clipLine(path, axis, span));
  return paths.flatMap((ring) => {
    const cut = clipRing(clipRing(ring, axis, span[0], 1), axis, span[1], -1);
    return cut.length < 8 ? [] : [cut];
  });
}

/** The parts of a line between two limits. */
function clipLine(path: Path, axis: 0 | 1, [from, to]: Span): Path[] {
  const parts: Path[] = [];
  let open: Path | null = null;
  for (let i = 0; i + 3 < path.length; i += 2) {
    const a = path[i + axis]!;
    const b = path[i + 2 + axis]!;
    if (Math.max(a, b) < from || Math.min(a, b) > to) {
      open = null;
      continue;
    }
    if (!open)
      parts.push(
        (open =
          a < from
            ? crossing(path, i, axis, from)
            : a > to
              ? crossing(path, i, axis, to)
              : [path[i]!, path[i + 1]!]),
      );
    if (b < from) open.push(...crossing(path, i, axis, from));
    else if (b > to) open.push(...crossing(path, i, axis, to));
    else open.push(path[i + 2]!, path[i + 3]!);
    if (b < from || b > to) open = null;
  }
  return parts;
}

/** One side of Sutherland and Hodgman: what lies beyond a limit is laid onto it. */
function clipRing(ring: Path, axis: 0 | 1, limit: number, side: 1 | -1): Path {
  const cut: Path = [];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const isIn = (ring[i + axis]! - limit) * side >= 0;
    const staysIn = (ring[i + 2 + axis]! - limit) * side >= 0;
    if (isIn) cut.push(ring[i]!, ring[i + 1]!);
    if (isIn !== staysIn) cut.push(...crossing(ring, i, axis, limit));
  }
  if (cut.length > 0) cut.push(cut[0]!, cut[1]!);
  return cut;
}

/** Where the piece of a path that starts at `i` meets a limit. */
function crossing(path: Path, i: number, axis: 0 | 1, limit: number): [x: number, y: number] {
  const share = (limit - path[i + axis]!) / (path[i + 2 + axis]! - path[i + axis]!);
  const other = path[i + 1 - axis]! + (path[i + 3 - axis]! - path[i + 1 - axis]!) * share;
  return axis === 0 ? [limit, other] : [other, limit];
}
