import { COORDINATE_DEGREES, type RoadGraph } from '../graph/graph.ts';
import { weightMilliseconds } from '../graph/weight.ts';

/** Above every time; a sum of two still fits into 32 bits. */
export const noTime = 2 ** 30 - 1;

/** The words of a list of `CoreLists` before its vertices. */
export const listHead = 2;
/** Words behind the last list, which may be read without being of any. */
const listSlack = 16;

/** The share of all vertices, the highest, that is the core. */
const coreShare = 0.1;

/**
 * The arcs of a hierarchy in one direction by their lower end, with times alone: those of vertex v are at
 * `start[v] … start[v + 1] - 1`. The higher end and the milliseconds of an arc alternate in `arcs`, so that
 * one access to memory reads both.
 */
export interface TimeArcs {
  start: Uint32Array;
  arcs: Int32Array;
}

/**
 * A hierarchy with times alone, in an order of its own: every arc leads to a higher number, and below a
 * vertex lies what is searched next: its neighbors, or what only leads to it. Searches around one place then
 * read few parts of the memory. All arrays are shared memory.
 *
 * The vertices from `core` on are its core. What is left without them falls into small pieces, so that drives
 * between two pieces pass the core.
 */
export interface TimeHierarchy {
  /** The vertex of each edge of the graph. */
  vertexOf: Uint32Array;
  up: TimeArcs;
  down: TimeArcs;
  core: number;
  upIntoCore: CoreLists;
  downIntoCore: CoreLists;
  pieces: number;
}

/**
 * By which vertices of the core, and in which least time, each vertex below reaches it. The list of vertex v
 * is at `start[v]` in `lists`: how many words follow, v's piece, then vertex and milliseconds in turn.
 */
export interface CoreLists {
  start: Uint32Array;
  lists: Int32Array;
}

/** Derives the times of a graph's hierarchy. */
export function timeHierarchy(graph: RoadGraph): TimeHierarchy {
  const { edgeCount } = graph;
  const { edgeAt, upStart, upTo, upWeight, downStart, downFrom, downWeight } = graph.hierarchy;
  const core = edgeCount - Math.floor(edgeCount * coreShare);
  const numberOf = numbered(graph.hierarchy, edgesByPlace(graph), core);
  const vertexOf = sharedUint32(edgeCount);
  edgeAt.forEach((edge, rank) => (vertexOf[edge] = numberOf[rank]!));
  const up = timeArcs({ start: upStart, to: upTo, weight: upWeight }, numberOf);
  const down = timeArcs({ start: downStart, to: downFrom, weight: downWeight }, numberOf);
  const { pieceOf, pieces } = piecesBelow(core, [up, down]);
  return {
    vertexOf,
    up,
    down,
    core,
    upIntoCore: intoCore(up, pieceOf),
    downIntoCore: intoCore(down, pieceOf),
    pieces,
  };
}

/**
 * The number of each rank, from the highest down: those of the core, then the others, each time in the order
 * of places and each after all that it leads to. Vertices that the first of a neighborhood leads to are
 * therefore near it in memory, and the others of it follow.
 */
function numbered(
  { rankOf, upStart, upTo, downStart, downFrom }: RoadGraph['hierarchy'],
  edges: Uint32Array,
  core: number,
): Uint32Array {
  const count = edges.length;
  const numberOf = new Uint32Array(count);
  const isNumbered = new Uint8Array(count);
  const stack = new Uint32Array(count);
  /** How many of its arcs have been visited, for each rank on the stack. */
  const looked = new Uint32Array(count);
  let next = count;
  const nextHigher = (rank: number): number => {
    const ups = upStart[rank + 1]! - upStart[rank]!;
    const all = ups + downStart[rank + 1]! - downStart[rank]!;
    while (looked[rank]! < all) {
      const arc = looked[rank]!++;
      const other = arc < ups ? upTo[upStart[rank]! + arc]! : downFrom[downStart[rank]! + arc - ups]!;
      if (isNumbered[other] === 0) return other;
    }
    return -1;
  };
  const numberFrom = (first: number): void => {
    let height = 0;
    stack[height++] = first;
    while (height > 0) {
      const rank = stack[height - 1]!;
      const higher = nextHigher(rank);
      if (higher >= 0) {
        stack[height++] = higher;
        continue;
      }
      height--;
      isNumbered[rank] = 1;
      numberOf[rank] = --next;
    }
  };
  for (const lowest of [core, 0]) {
    for (const edge of edges) {
      const rank = rankOf[edge]!;
      if (rank >= lowest && isNumbered[rank] === 0) numberFrom(rank);
    }
  }
  return numberOf;
}

/** All edges by place: along a Z-order curve through the middles of their shapes. */
function edgesByPlace({ edgeCount, edgeShape, shapeStart, shapePoints, bounds }: RoadGraph): Uint32Array {
  const [west, south, east, north] = bounds.map((degrees) => degrees / COORDINATE_DEGREES);
  const step = (from: number, to: number): number => Math.max(1, to - from + 2) / 2 ** 16;
  const [lonStep, latStep] = [step(west!, east!), step(south!, north!)];
  const curve = new Uint32Array(shapeStart.length - 1);
  for (let shape = 0; shape < curve.length; shape++) {
    const middle = (shapeStart[shape]! + shapeStart[shape + 1]! - 1) >> 1;
    const x = Math.floor((shapePoints[2 * middle]! - west!) / lonStep);
    const y = Math.floor((shapePoints[2 * middle + 1]! - south!) / latStep);
    curve[shape] = (spreadBits(x) | (spreadBits(y) << 1)) >>> 0;
  }
  const edges = new Uint32Array(edgeCount);
  for (let edge = 0; edge < edgeCount; edge++) edges[edge] = edge;
  // By the lower half of their place on the curve first: each sort keeps the order among equals.
  const byLower = sortedByHalf(edges, (edge) => curve[edgeShape[edge]! >> 1]! & 0xff_ff);
  return sortedByHalf(byLower, (edge) => curve[edgeShape[edge]! >> 1]! >>> 16);
}

/** Some edges by a key of 16 bits, equals in the order in which they came. */
function sortedByHalf(edges: Uint32Array, keyOf: (edge: number) => number): Uint32Array {
  const first = new Uint32Array(2 ** 16 + 1);
  for (const edge of edges) first[keyOf(edge) + 1]!++;
  for (let key = 0; key < 2 ** 16; key++) first[key + 1]! += first[key]!;
  const sorted = new Uint32Array(edges.length);
  for (const edge of edges) sorted[first[keyOf(edge)]!++] = edge;
  return sorted;
}

/** 16 bits with a gap behind each. */
function spreadBits(number: number): number {
  let bits = Math.max(0, Math.min(number, 2 ** 16 - 1));
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

function timeArcs(
  { start, to, weight }: { start: Uint32Array; to: Uint32Array; weight: Float64Array },
  numberOf: Uint32Array,
): TimeArcs {
  const count = numberOf.length;
  const newStart = sharedUint32(count + 1);
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

/** The lists of the vertices below the core: those of it that their climbs reach first. */
function intoCore({ start, arcs }: TimeArcs, pieceOf: Uint32Array): CoreLists {
  const core = pieceOf.length;
  /** Those of a vertex are merged of its neighbors', which are higher: from the highest down. */
  const firstOf = new Uint32Array(core);
  const countOf = new Uint32Array(core);
  let merged = new Int32Array(arcs.length * 2);
  let end = 0;
  /** By vertex of the core: where the list in progress has it. */
  const placeOf = new Int32Array(start.length - 1 - core).fill(-1);
  for (let vertex = core - 1; vertex >= 0; vertex--) {
    const first = end;
    const reach = (there: number, milliseconds: number): void => {
      const known = placeOf[there - core]!;
      if (known >= first) {
        if (milliseconds < merged[known + 1]!) merged[known + 1] = milliseconds;
        return;
      }
      placeOf[there - core] = end;
      merged[end++] = there;
      merged[end++] = milliseconds;
    };
    for (let arc = start[vertex]! * 2; arc < start[vertex + 1]! * 2; arc += 2) {
      const [higher, milliseconds] = [arcs[arc]!, arcs[arc + 1]!];
      const more = higher < core ? countOf[higher]! * 2 : 2;
      if (end + more > merged.length) {
        const larger = new Int32Array(merged.length * 2);
        larger.set(merged);
        merged = larger;
      }
      if (higher >= core) reach(higher, milliseconds);
      else
        for (let at = firstOf[higher]!; at < firstOf[higher]! + more; at += 2)
          reach(merged[at]!, milliseconds + merged[at + 1]!);
    }
    firstOf[vertex] = first;
    countOf[vertex] = (end - first) / 2;
  }
  const newStart = sharedUint32(core);
  const lists = new Int32Array(new SharedArrayBuffer((end + core * listHead + listSlack) * 4));
  let filled = 0;
  for (let vertex = 0; vertex < core; vertex++) {
    const words = countOf[vertex]! * 2;
    newStart[vertex] = filled;
    lists[filled] = words;
    lists[filled + 1] = pieceOf[vertex]!;
    lists.set(merged.subarray(firstOf[vertex], firstOf[vertex]! + words), filled + listHead);
    filled += listHead + words;
  }
  return { start: newStart, lists };
}

/** Which vertices below the core are connected without it. */
function piecesBelow(
  core: number,
  directions: readonly TimeArcs[],
): { pieceOf: Uint32Array; pieces: number } {
  const parent = Uint32Array.from({ length: core }, (_, vertex) => vertex);
  const rootOf = (vertex: number): number => {
    let root = vertex;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  for (const { start, arcs } of directions) {
    for (let vertex = 0; vertex < core; vertex++) {
      for (let arc = start[vertex]!; arc < start[vertex + 1]!; arc++) {
        const higher = arcs[arc * 2]!;
        // The higher one is the parent, so that a root has the highest number of its piece.
        if (higher >= core) continue;
        const [a, b] = [rootOf(vertex), rootOf(higher)];
        parent[Math.min(a, b)] = Math.max(a, b);
      }
    }
  }
  const pieceOf = sharedUint32(core);
  let pieces = 0;
  for (let vertex = core - 1; vertex >= 0; vertex--) {
    const root = rootOf(vertex);
    pieceOf[vertex] = root === vertex ? pieces++ : pieceOf[root]!;
  }
  return { pieceOf, pieces };
}

const sharedUint32 = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(length * 4));
