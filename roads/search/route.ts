import { metresPerDegreeLon, METRES_PER_DEGREE } from '../graph/geometry.ts';
import { edgeLine, round7, type RoadGraph } from '../graph/graph.ts';
import type { RoadPoint, Route } from '../graph/network.ts';

type Line = Route['line'];

/** A stretch of one edge, from one fraction of its length to another. */
interface Stretch {
  edge: number;
  start: number;
  end: number;
}

/**
 * The line and the streets of a found path.
 * @param edges as found by the search, from the first edge entered to the one of arrival; null for a drive
 *   without a turn: along one edge, or the direct estimate where no road is known.
 */
export function drawRoute(
  graph: RoadGraph,
  from: RoadPoint,
  to: RoadPoint,
  edges: number[] | null,
): Pick<Route, 'line' | 'streets'> {
  const stretches = edges ? stretchesOf(from, to, edges) : sameEdgeStretch(from, to);
  const line: Line = [[from.lon, from.lat]];
  for (const stretch of stretches) {
    for (const vertex of stretchLine(graph, stretch)) {
      const last = line.at(-1)!;
      if (vertex[0] !== last[0] || vertex[1] !== last[1]) line.push(vertex);
    }
  }
  // The snapped positions are the exact ends; a stretch computed by fraction may differ by rounding.
  if (!to.estimated && stretches.length > 0 && line.length > 1) line.pop();
  line.push([to.lon, to.lat]);
  return { line, streets: streetsOf(graph, stretches) };
}

function stretchesOf(from: RoadPoint, to: RoadPoint, edges: number[]): Stretch[] {
  const first = edges[0]!;
  const last = edges.at(-1)!;
  const departure = least(from.departures.filter(({ edge }) => edge === first));
  const arrival = least(to.arrivals.filter(({ edge }) => edge === last));
  const stretches: Stretch[] = edges.map((edge) => ({ edge, start: 0, end: 1 }));
  stretches.at(-1)!.end = arrival.fraction;
  if (departure.from >= 0) {
    const start = from.arrivals.find(({ edge }) => edge === departure.from)!.fraction;
    stretches.unshift({ edge: departure.from, start, end: 1 });
  }
  return stretches;
}

function sameEdgeStretch(from: RoadPoint, to: RoadPoint): Stretch[] {
  if (from.estimated) return [];
  const drives = from.arrivals.flatMap((start) =>
    to.arrivals
      .filter((end) => end.edge === start.edge && end.weight >= start.weight)
      .map((end) => ({
        edge: start.edge,
        start: start.fraction,
        end: end.fraction,
        weight: end.weight - start.weight,
      })),
  );
  return drives.length === 0 ? [] : [least(drives)];
}

function least<T extends { weight: number }>(items: T[]): T {
  return items.reduce((best, item) => (item.weight < best.weight ? item : best));
}

/** The part of an edge's line between two fractions of its length. */
function stretchLine(graph: RoadGraph, { edge, start, end }: Stretch): Line {
  const line = edgeLine(graph, edge);
  if (start === 0 && end === 1) return line;
  const kx = metresPerDegreeLon(line[0]![1]);
  const along = [0];
  for (let i = 1; i < line.length; i++) {
    const [ax, ay] = line[i - 1]!;
    const [bx, by] = line[i]!;
    along.push(along[i - 1]! + Math.hypot((bx - ax) * kx, (by - ay) * METRES_PER_DEGREE));
  }
  const length = along.at(-1)!;
  const inner = line.filter((_, i) => along[i]! > start * length && along[i]! < end * length);
  return [pointAt(line, along, start * length), ...inner, pointAt(line, along, end * length)];
}

function pointAt(line: Line, along: number[], metres: number): [number, number] {
  const after = along.findIndex((a, i) => i > 0 && a >= metres);
  const i = after < 0 ? line.length - 1 : after;
  const [ax, ay] = line[i - 1]!;
  const [bx, by] = line[i]!;
  const piece = along[i]! - along[i - 1]!;
  const t = piece === 0 ? 0 : Math.min(1, (metres - along[i - 1]!) / piece);
  return [round7(ax + (bx - ax) * t), round7(ay + (by - ay) * t)];
}

function streetsOf(graph: RoadGraph, stretches: Stretch[]): Route['streets'] {
  const streets: { name: string; metres: number }[] = [];
  for (const { edge, start, end } of stretches) {
    const index = graph.edgeName[edge]!;
    if (index < 0) continue;
    const name = graph.names[index]!;
    const metres = (graph.edgeDecimetres[edge]! * (end - start)) / 10;
    const last = streets.at(-1);
    if (last?.name === name) last.metres += metres;
    else streets.push({ name, metres });
  }
  return streets
    .map(({ name, metres }) => ({ name, metres: Math.round(metres) }))
    .filter(({ metres }) => metres > 0);
}
