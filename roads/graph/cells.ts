import { contract } from '../build/contraction.ts';
import { COORDINATE_DEGREES, PICK_UP, type RoadGraph } from './graph.ts';
import { metresPerDegreeLon, METRES_PER_DEGREE } from './geometry.ts';
import { IndexedHeap } from '../search/heap.ts';
import type { RoadPoint } from './point.ts';
import { weightMilliseconds } from './weight.ts';

/**
 * The region cut into cells, and the least time of a drive from one into another. A bound never
 * overestimates, neither a drive nor a chain of drives with stops inside the region: it is measured on the
 * bare road network, where a turn costs as much as the cheapest at that end of the road and a car may make a
 * U-turn anywhere. (Real drives violate the triangle inequality; the bare network obeys it.)
 */
export interface RoadCells {
  /** Cells of roads, plus the last one: everything beyond the region. */
  count: number;
  /** The cell of each shape of the graph. */
  cellOfShape: Uint16Array;
  /** Seconds from a cell (row) to a cell (column), rounded down; row by row. */
  seconds: Uint16Array;
  /**
   * Milliseconds from the end of each edge to the nearest exit of its cell, and from the nearest entry to its
   * start.
   */
  leaving: Uint32Array;
  entering: Uint32Array;
}

/** Road nodes in a cell, at least, and the most halvings: bounds for 4,096 × 4,096 cells take 32 MB. */
const NODES_PER_CELL = 6;
const MOST_HALVINGS = 12;
/** How many cells' bounds are computed in one pass over the hierarchy. */
const LANES = 16;
const NEVER = 2 ** 31 - 1;

/** The cell of a point on the roads, or the last one for a point beyond them. */
export function cellOf(cells: RoadCells, graph: RoadGraph, point: RoadPoint): number {
  if (point.estimated) return cells.count - 1;
  return cells.cellOfShape[graph.edgeShape[point.arrivals[0]!.edge]! >> 1]!;
}

/**
 * The least seconds that a drive from a point to another cell spends in its own cell, in addition to the
 * bound between the two. The first exit of one cell never lies behind the last entry of the other: a node
 * that is both belongs to both cells, and counts as exit and as entry.
 */
export function leavingSeconds({ leaving }: RoadCells, graph: RoadGraph, point: RoadPoint): number {
  if (point.estimated) return 0;
  let least = Infinity;
  for (const { edge, weight } of point.arrivals)
    least = Math.min(least, graph.edgeMilliseconds[edge]! - weightMilliseconds(weight) + leaving[edge]!);
  return Math.floor(least / 1000);
}

/** The same for the end of a drive. */
export function enteringSeconds({ entering }: RoadCells, point: RoadPoint): number {
  if (point.estimated) return 0;
  let least = Infinity;
  for (const { edge, weight } of point.arrivals)
    least = Math.min(least, weightMilliseconds(weight) + entering[edge]!);
  return Math.floor(least / 1000);
}

/**
 * Cuts a graph into cells of about equally many roads and measures the bounds between all of them.
 * @param onProgress called with the share done, 0 … 1.
 */
export function buildCells(graph: RoadGraph, onProgress?: (share: number) => void): RoadCells {
  const nodes = bareNetwork(graph);
  const halvings = Math.max(0, Math.min(MOST_HALVINGS, Math.floor(Math.log2(nodes.count / NODES_PER_CELL))));
  const cells = 2 ** halvings;
  const cellOfShape = cutShapes(graph, halvings);
  const members = membersOf(graph, nodes, cellOfShape, cells);
  const { entrances, exits } = doorsOf(graph, nodes, members);
  const doors = [...entrances.slice(0, cells), Array.from(graph.exitEdges, (e) => nodes.tail[e]!)].map(
    (ends) => Uint32Array.from(new Set(ends), (node) => nodes.rankOf[node]!),
  );
  const count = cells + 1;
  const seconds = new Uint16Array(new SharedArrayBuffer(count * count * 2));
  const sweep = new LaneSweep(nodes);
  for (let first = 0; first < count; first += LANES) {
    const lanes = Math.min(LANES, count - first);
    const times = sweep.from(members.slice(first, first + lanes));
    const least = new Int32Array(LANES);
    for (let cell = 0; cell < count; cell++) {
      leastTimes(times, doors[cell]!, least);
      for (let lane = 0; lane < lanes; lane++)
        seconds[(first + lane) * count + cell] = Math.min(65_535, Math.floor(least[lane]! / 1000));
    }
    onProgress?.(Math.min(1, (first + lanes) / count));
  }
  for (let cell = 0; cell < count; cell++) seconds[cell * count + cell] = 0;
  return {
    count,
    cellOfShape,
    seconds,
    leaving: byEdge(nodes.head, nearest(nodes, exits.flat(), 'back')),
    entering: byEdge(nodes.tail, nearest(nodes, entrances.flat(), 'ahead')),
  };
}

/** The least time at any of some ranks, by lane. @param least is filled with it. */
function leastTimes(times: Int32Array, ranks: Uint32Array, least: Int32Array): void {
  least.fill(NEVER);
  for (const rank of ranks) {
    for (let lane = 0; lane < LANES; lane++) {
      const time = times[rank * LANES + lane]!;
      if (time < least[lane]!) least[lane] = time;
    }
  }
}

/** Milliseconds between each node and the nearest of some, on the bare network: to them by searching back. */
function nearest(nodes: BareNetwork, from: readonly number[], direction: 'ahead' | 'back'): Int32Array {
  const { count, head, tail, milliseconds } = nodes;
  const [near, far] = direction === 'ahead' ? [tail, head] : [head, tail];
  const start = new Uint32Array(count + 1);
  for (const node of near) start[node + 1]!++;
  for (let node = 0; node < count; node++) start[node + 1]! += start[node]!;
  const next = start.slice(0, count);
  const edges = new Uint32Array(near.length);
  near.forEach((node, e) => (edges[next[node]!++] = e));
  const times = new Int32Array(count).fill(NEVER);
  const queue = new IndexedHeap(count);
  for (const node of from) {
    times[node] = 0;
    queue.push(node, 0);
  }
  while (queue.size > 0) {
    const node = queue.pop();
    for (let i = start[node]!; i < start[node + 1]!; i++) {
      const e = edges[i]!;
      const time = times[node]! + milliseconds[e]!;
      if (time >= times[far[e]!]!) continue;
      times[far[e]!] = time;
      queue.push(far[e]!, time);
    }
  }
  return times;
}

function byEdge(ends: Int32Array, times: Int32Array): Uint32Array {
  const found = new Uint32Array(new SharedArrayBuffer(ends.length * 4));
  // A node from which no door can be reached gets the bound 0.
  ends.forEach((node, e) => (found[e] = times[node] === NEVER ? 0 : times[node]!));
  return found;
}

/**
 * The ends of the roads of each cell where a point may lie; for the last cell (outside), the starts of the
 * roads that lead in.
 */
function membersOf(
  graph: RoadGraph,
  nodes: BareNetwork,
  cellOfShape: Uint16Array,
  cells: number,
): Set<number>[] {
  const members = Array.from({ length: cells + 1 }, () => new Set<number>());
  for (let e = 0; e < graph.edgeCount; e++) {
    // No point lies on a road where pick-up is not allowed.
    if (!(graph.edgeFlags[e]! & PICK_UP)) continue;
    const cell = cellOfShape[graph.edgeShape[e]! >> 1]!;
    members[cell]!.add(nodes.tail[e]!).add(nodes.head[e]!);
  }
  for (const e of graph.entryEdges) members[cells]!.add(nodes.tail[e]!);
  return members;
}

/**
 * The nodes by which each cell can be entered, and by which it can be left: those with a road from or to
 * another cell, those that also belong to other cells, and the ends of the roads that lead out of the region
 * and into it. Each drive between cells passes one of them.
 */
function doorsOf(graph: RoadGraph, nodes: BareNetwork, members: readonly Set<number>[]) {
  const cellsOf = new Uint8Array(nodes.count);
  const countIn = (node: number) => (cellsOf[node] = Math.min(2, cellsOf[node]! + 1));
  for (const cell of members) for (const node of cell) countIn(node);
  for (const e of graph.exitEdges) countIn(nodes.tail[e]!);
  const [comingFrom, goingTo] = [new Map<number, number[]>(), new Map<number, number[]>()];
  const note = (map: Map<number, number[]>, at: number, other: number) => {
    const known = map.get(at);
    if (known === undefined) map.set(at, [other]);
    else known.push(other);
  };
  for (let e = 0; e < graph.edgeCount; e++) {
    note(comingFrom, nodes.head[e]!, nodes.tail[e]!);
    note(goingTo, nodes.tail[e]!, nodes.head[e]!);
  }
  const doors = (beside: Map<number, number[]>) =>
    members.map((cell) =>
      [...cell].filter(
        (node) => cellsOf[node]! > 1 || (beside.get(node) ?? []).some((other) => !cell.has(other)),
      ),
    );
  return { entrances: doors(comingFrom), exits: doors(goingTo) };
}

/** Halves the shapes repeatedly at the middle of their longer side: cells of about equally many roads. */
function cutShapes({ shapeStart, shapePoints }: RoadGraph, halvings: number): Uint16Array {
  const count = shapeStart.length - 1;
  const lat = (shapePoints[1] ?? 0) * COORDINATE_DEGREES;
  const lonScale = metresPerDegreeLon(lat) / METRES_PER_DEGREE;
  const [x, y] = [new Float64Array(count), new Float64Array(count)];
  for (let s = 0; s < count; s++) {
    const middle = (shapeStart[s]! + shapeStart[s + 1]! - 1) >> 1;
    x[s] = shapePoints[2 * middle]! * lonScale;
    y[s] = shapePoints[2 * middle + 1]!;
  }
  const cellOfShape = new Uint16Array(new SharedArrayBuffer(count * 2));
  const halve = (shapes: Uint32Array, depth: number, cell: number): void => {
    if (depth === 0) {
      for (const s of shapes) cellOfShape[s] = cell;
      return;
    }
    const by = spread(shapes, x) >= spread(shapes, y) ? x : y;
    // Equal coordinates stay in the order of the shapes: the same graph always gives the same cells.
    shapes.sort((a, b) => by[a]! - by[b]! || a - b);
    const middle = shapes.length >> 1;
    halve(shapes.subarray(0, middle), depth - 1, cell * 2);
    halve(shapes.subarray(middle), depth - 1, cell * 2 + 1);
  };
  halve(Uint32Array.from(cellOfShape.keys()), halvings, 0);
  return cellOfShape;
}

function spread(shapes: Uint32Array, coordinate: Float64Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (const s of shapes) {
    least = Math.min(least, coordinate[s]!);
    most = Math.max(most, coordinate[s]!);
  }
  return most - least;
}

/** The road network without turns: nodes are ends of road, contracted. */
interface BareNetwork {
  count: number;
  tail: Int32Array;
  head: Int32Array;
  /** The driving time of each edge, with the cheapest turn at its end. */
  milliseconds: Uint32Array;
  rankOf: Uint32Array;
  upStart: Uint32Array;
  upTo: Uint32Array;
  upMs: Int32Array;
  downStart: Uint32Array;
  downFrom: Uint32Array;
  downMs: Int32Array;
}

function bareNetwork(graph: RoadGraph): BareNetwork {
  const { edgeCount, shapeStart, shapePoints, arcStart, arcMilliseconds } = graph;
  // Ends of roads are keyed by position: two at the same position become one, which only shortens drives.
  const byPlace = new Map<string, number>();
  const nodeAt = (point: number): number => {
    const key = `${shapePoints[2 * point]!},${shapePoints[2 * point + 1]!}`;
    const known = byPlace.get(key);
    if (known !== undefined) return known;
    byPlace.set(key, byPlace.size);
    return byPlace.size - 1;
  };
  const tail = new Int32Array(edgeCount);
  const head = new Int32Array(edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    const shape = graph.edgeShape[e]! >> 1;
    const ends = [nodeAt(shapeStart[shape]!), nodeAt(shapeStart[shape + 1]! - 1)] as const;
    const against = (graph.edgeShape[e]! & 1) as 0 | 1;
    tail[e] = ends[against];
    head[e] = ends[against ? 0 : 1];
  }
  const count = byPlace.size;
  const start = new Uint32Array(count + 1);
  for (const node of tail) start[node + 1]!++;
  for (let node = 0; node < count; node++) start[node + 1]! += start[node]!;
  const next = start.slice(0, count);
  const to = new Uint32Array(edgeCount);
  const arcMs = new Uint32Array(edgeCount);
  const milliseconds = new Uint32Array(edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    let cheapest = Infinity;
    for (let a = arcStart[e]!; a < arcStart[e + 1]!; a++) cheapest = Math.min(cheapest, arcMilliseconds[a]!);
    milliseconds[e] = graph.edgeMilliseconds[e]! + (cheapest === Infinity ? 0 : cheapest);
    const slot = next[tail[e]!]!++;
    to[slot] = head[e]!;
    arcMs[slot] = milliseconds[e]!;
  }
  const hierarchy = contract({
    edgeMilliseconds: new Uint32Array(count),
    edgeDecimetres: new Uint32Array(count),
    arcStart: start,
    arcTo: to,
    arcMilliseconds: arcMs,
  });
  return {
    count,
    tail,
    head,
    milliseconds,
    rankOf: hierarchy.rankOf,
    upStart: hierarchy.upStart,
    upTo: hierarchy.upTo,
    upMs: Int32Array.from(hierarchy.upWeight, weightMilliseconds),
    downStart: hierarchy.downStart,
    downFrom: hierarchy.downFrom,
    downMs: Int32Array.from(hierarchy.downWeight, weightMilliseconds),
  };
}

/**
 * Times from several sets of nodes to all nodes at once: each lane climbs separately, then one pass down the
 * hierarchy serves all lanes (D. Delling, A. Goldberg, A. Nowatzyk, R. Werneck: PHAST, 2011).
 */
class LaneSweep {
  private readonly nodes: BareNetwork;
  /** By rank, then lane. */
  private readonly times: Int32Array;
  private readonly queue: IndexedHeap;

  constructor(nodes: BareNetwork) {
    this.nodes = nodes;
    this.times = new Int32Array(nodes.count * LANES);
    this.queue = new IndexedHeap(nodes.count);
  }

  from(sources: readonly ReadonlySet<number>[]): Int32Array {
    const { times, nodes } = this;
    times.fill(NEVER);
    sources.forEach((set, lane) => this.climb(set, lane));
    const { downStart, downFrom, downMs } = nodes;
    for (let rank = nodes.count - 1; rank >= 0; rank--) {
      const here = rank * LANES;
      for (let arc = downStart[rank]!; arc < downStart[rank + 1]!; arc++) {
        const above = downFrom[arc]! * LANES;
        const ms = downMs[arc]!;
        for (let lane = 0; lane < LANES; lane++) {
          // NEVER stays the largest: sums beyond it are not stored.
          const time = times[above + lane]! + ms;
          if (time < times[here + lane]!) times[here + lane] = time;
        }
      }
    }
    return times;
  }

  /** Climbs from a set in order of rank, so that each vertex is final before the search leaves it. */
  private climb(set: ReadonlySet<number>, lane: number): void {
    const { times, queue } = this;
    const { rankOf, upStart, upTo, upMs } = this.nodes;
    for (const node of set) {
      times[rankOf[node]! * LANES + lane] = 0;
      queue.push(rankOf[node]!, rankOf[node]!);
    }
    while (queue.size > 0) {
      const rank = queue.pop();
      const time = times[rank * LANES + lane]!;
      for (let arc = upStart[rank]!; arc < upStart[rank + 1]!; arc++) {
        const above = upTo[arc]!;
        const total = time + upMs[arc]!;
        if (total < times[above * LANES + lane]!) times[above * LANES + lane] = total;
        queue.push(above, above);
      }
    }
  }
}
