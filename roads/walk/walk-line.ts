import { METRES_PER_DEGREE, metresPerDegreeLon, type LonLat } from '../graph/geometry.ts';
import { COORDINATE_DEGREES, round7 } from '../graph/graph.ts';
import type { WalkArrays } from './walk-graph.ts';

type Shapes = Pick<WalkArrays, 'shapeStart' | 'shapePoints' | 'pieceDecimetres'>;
type Line = [lon: number, lat: number][];

/**
 * A part of a piece as it is walked: from one length along it to another, in decimeters from its first
 * vertex.
 */
export interface WalkStretch {
  piece: number;
  from: number;
  to: number;
}

/** The line of a walk from a place along stretches to another place. */
export function drawWalk(shapes: Shapes, from: LonLat, to: LonLat, stretches: WalkStretch[]): Line {
  const line: Line = [[from.lon, from.lat]];
  const add = (vertex: Line[0]) => {
    const last = line.at(-1)!;
    if (vertex[0] !== last[0] || vertex[1] !== last[1]) line.push(vertex);
  };
  for (const stretch of stretches) stretchLine(shapes, stretch).forEach(add);
  add([to.lon, to.lat]);
  if (line.length === 1) line.push([to.lon, to.lat]);
  return line;
}

function stretchLine(
  { shapeStart, shapePoints, pieceDecimetres }: Shapes,
  { piece, from, to }: WalkStretch,
): Line {
  if (from === to) return [];
  const points: Line = [];
  for (let i = shapeStart[piece]!; i < shapeStart[piece + 1]!; i++) {
    points.push([
      round7(shapePoints[2 * i]! * COORDINATE_DEGREES),
      round7(shapePoints[2 * i + 1]! * COORDINATE_DEGREES),
    ]);
  }
  const kx = metresPerDegreeLon(points[0]![1]);
  const along = [0];
  for (let i = 1; i < points.length; i++) {
    const [[ax, ay], [bx, by]] = [points[i - 1]!, points[i]!];
    along.push(along[i - 1]! + Math.hypot((bx - ax) * kx, (by - ay) * METRES_PER_DEGREE));
  }
  const scale = along.at(-1)! / pieceDecimetres[piece]!;
  const [low, high] = [Math.min(from, to) * scale, Math.max(from, to) * scale];
  const inner = points.filter((_, i) => along[i]! > low && along[i]! < high);
  const line = [pointAlong(points, along, low), ...inner, pointAlong(points, along, high)];
  return from < to ? line : line.toReversed();
}

function pointAlong(points: Line, along: number[], metres: number): Line[0] {
  const after = along.findIndex((length, i) => i > 0 && length >= metres);
  const i = after < 0 ? points.length - 1 : after;
  const [[ax, ay], [bx, by]] = [points[i - 1]!, points[i]!];
  const t = Math.min(1, (metres - along[i - 1]!) / (along[i]! - along[i - 1]! || 1));
  return [round7(ax + (bx - ax) * t), round7(ay + (by - ay) * t)];
}
