import type { RoadGraph } from '../graph/graph.ts';
import { weightMilliseconds } from '../graph/weight.ts';

/** Above every time; a sum of two still fits into 32 bits. */
export const noTime = 2 ** 30 - 1;

/**
 * The arcs of a hierarchy in one direction by their lower end, with times alone: those of vertex v are at
 * `start[v] … start[v + 1] - 1`. The higher end and the milliseconds of an arc alternate in `arcs`, so that
 * both are one look at the memory.
 */
export interface TimeArcs {
  start: Uint32Array;
  arcs: Int32Array;
}

/**
 * A hierarchy with times alone, in an order of its own: vertices of one level lie together, those of the same
 * neighborhood beside each other, and every arc leads to a higher number. Searches around one place then read
 * few parts of the memory. All arrays are shared memory.
 */
export interface TimeHierarchy {
  /** The vertex of each edge of the graph. */
  vertexOf: Uint32Array;
  up: TimeArcs;
  down: TimeArcs;
}

/** Derives the times of a graph's hierarchy. */
export function timeHierarchy(graph: RoadGraph): TimeHierarchy {
  const { edgeCount, edgeShape } = graph;
  const { edgeAt, upStart, upTo, upWeight, downStart, downFrom, downWeight } = graph.hierarchy;
  const levels = new Uint16Array(edgeCount);
  for (let rank = 0; rank < edgeCount; rank++) {
    const next = levels[rank]! + 1;
    for (let a = upStart[rank]!; a < upStart[rank + 1]!; a++)
      if (levels[upTo[a]!]! < next) levels[upTo[a]!] = next;
    for (let a = downStart[rank]!; a < downStart[rank + 1]!; a++)
      if (levels[downFrom[a]!]! < next) levels[downFrom[a]!] = next;
  }
  // Shapes are numbered as the extract lists its roads, with neighbors mostly close together.
  const numberOf = sortedBy(edgeCount, (rank) => levels[rank]!, edgesByShape(edgeAt, edgeShape));
  const vertexOf = new Uint32Array(new SharedArrayBuffer(edgeCount * 4));
  edgeAt.forEach((edge, rank) => (vertexOf[edge] = numberOf[rank]!));
  return {
    vertexOf,
    up: timeArcs({ start: upStart, to: upTo, weight: upWeight }, numberOf),
    down: timeArcs({ start: downStart, to: downFrom, weight: downWeight }, numberOf),
  };
}

/** All ranks in the order of the shapes of their edges. */
function edgesByShape(edgeAt: Uint32Array, edgeShape: Uint32Array): Uint32Array {
  let shapes = 0;
  for (const shape of edgeShape) shapes = Math.max(shapes, shape + 1);
  const first = new Uint32Array(shapes + 1);
  for (const edge of edgeAt) first[edgeShape[edge]! + 1]!++;
  for (let shape = 0; shape < shapes; shape++) first[shape + 1]! += first[shape]!;
  const ranks = new Uint32Array(edgeAt.length);
  edgeAt.forEach((edge, rank) => (ranks[first[edgeShape[edge]!]!++] = rank));
  return ranks;
}

/** The new number of each rank: by a small key, then in the order given. */
function sortedBy(count: number, keyOf: (rank: number) => number, order: Uint32Array): Uint32Array {
  const first: number[] = [];
  for (let rank = 0; rank < count; rank++) first[keyOf(rank) + 1] = (first[keyOf(rank) + 1] ?? 0) + 1;
  first[0] = 0;
  for (let key = 1; key < first.length; key++) first[key] = (first[key] ?? 0) + first[key - 1]!;
  const numberOf = new Uint32Array(count);
  for (const rank of order) numberOf[rank] = first[keyOf(rank)]!++;
  return numberOf;
}

function timeArcs(
  { start, to, weight }: { start: Uint32Array; to: Uint32Array; weight: Float64Array },
  numberOf: Uint32Array,
): TimeArcs {
  const count = numberOf.length;
  const newStart = new Uint32Array(new SharedArrayBuffer((count + 1) * 4));
  for (let rank = 0; rank < count; rank++) newStart[numberOf[rank]! + 1] = start[rank + 1]! - start[rank]!;
  for (let vertex = 0; vertex < count; vertex++) newStart[vertex + 1]! += newStart[vertex]!;
  const arcs = new Int32Array(new SharedArrayBuffer(to.length * 8));
  for (let rank = 0; rank < count; rank++) {
    let at = newStart[numberOf[rank]!]! * 2;
    for (let a = start[rank]!; a < start[rank + 1]!; a++) {
      arcs[at++] = numberOf[to[a]!]!;
      arcs[at++] = weightMilliseconds(weight[a]!);
    }
  }
  return { start: newStart, arcs };
}
