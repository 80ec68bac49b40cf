import { contract } from './contraction.ts';
import { COORDINATE_DEGREES, PICK_UP, type RoadGraph } from './graph.ts';
import { metresPerDegreeLon, METRES_PER_DEGREE } from './geometry.ts';
import { IndexedHeap } from './heap.ts';
import type { RoadPoint } from './point.ts';
import { weightMilliseconds } from './weight.ts';

/**
 * The region cut into cells, and how long a drive from one into another takes at least. A bound never overestimates,
 * neither for a drive nor for a chain of drives by way of stops inside the region: it is measured on the bare road
 * network, where turns cost no more than the cheapest at each end of road and a car may turn round anywhere. (Real
 * drives know no triangle inequality; these bounds come from one that does.)
 */
export interface RoadCells {
  /** Cells of roads, plus the last one: everything beyond the region. */
  count: number;
  /** The cell of each shape of the graph. */
  cellOfShape: Uint16Array;
  /** Seconds from a cell (row) to a cell (column), rounded down; row by row. */
  seconds: Uint16Array;
}

/** Road nodes in a cell, at least, and the most halvings: bounds for 4,096 × 4,096 cells take 32 MB. */
const NODES_PER_CELL = 6;
const MOST_HALVINGS = 12;
/** Cells whose bounds are swept in one pass over the hierarchy. */
const LANES = 16;
const NEVER = 2 ** 31 - 1;

/** The cell of a point on the roads, or the last one for a point beyond them. */
export function cellOf(cells: RoadCells, graph: RoadGraph, point: RoadPoint): number {
  if (point.estimated) return cells.count - 1;
  return cells.cellOfShape[graph.edgeShape[point.arrivals[0]!.edge]! >> 1]!;
}

/**
 * Cuts a graph into cells of about equally many roads and measures the bounds between all of them.
 * @param onProgress told the share done, 0 … 1.
 */
export function buildCells(graph: RoadGraph, onProgress?: (share: number) => void): RoadCells {
  const nodes = bareNetwork(graph);
  const halvings = Math.max(0, Math.min(MOST_HALVINGS, Math.floor(Math.log2(nodes.count / NODES_PER_CELL))));
  const cells = 2 ** halvings;
  const cellOfShape = cutShapes(graph, halvings);
  const members = membersOf(graph, nodes, cellOfShape, cells);
  const doors = doorsOf(graph, nodes, members);
  const count = cells + 1;
  const seconds = new Uint16Array(new SharedArrayBuffer(count * count * 2));
  const sweep = new LaneSweep(nodes);
  for (let first = 0; first < count; first += LANES) {
    const lanes = Math.min(LANES, count - first);
    const times = sweep.from(members.slice(first, first + lanes));
    const least = new Int32Array(LANES);
    for (let cell = 0; cell < count; cell++) {
      least.fill(NEVER);
      for (const rank of doors[cell]!) {
        for (let lane = 0; lane < LANES; lane++) {
          const time = times[rank * LANES + lane]!;
          if (time < least[lane]!) least[lane] = time;
        }
      }
      for (let lane = 0; lane < lanes; lane++)
        seconds[(first + lane) * count + cell] = Math.min(65_535, Math.floor(least[lane]! / 1000));
    }
    onProgress?.(Math.min(1, (first + lanes) / count));
  }
  for (let cell = 0; cell < count; cell++) seconds[cell * count + cell] = 0;
  return { count, cellOfShape, seconds };
}

/** The ends of the roads of each cell where a point may lie; of the world outside, the starts of the roads that come in. */
function membersOf(
  graph: RoadGraph,
  nodes: BareNetwork,
  cellOfShape: Uint16Array,
  cells: number,
): Set<number>[] {
  const members = Array.from({ length: cells + 1 }, () => new Set<number>());
  for (let e = 0; e < graph.edgeCount; e++) {
    // No point lies on a road where nobody can be picked up.
    if (!(graph.edgeFlags[e]! & PICK_UP)) continue;
    const cell = cellOfShape[graph.edgeShape[e]! >> 1]!;
    members[cell]!.add(nodes.tail[e]!).add(nodes.head[e]!);
  }
  for (const e of graph.entryEdges) members[cells]!.add(nodes.tail[e]!);
  return members;
}

/**
 * The ranks of the nodes by which a cell is entered, of those that belong to other cells too, and of the starts of the
 * roads that lead out of the region. Whoever comes from elsewhere meets one of these first.
 */
function doorsOf(graph: RoadGraph, nodes: BareNetwork, members: readonly Set<number>[]): Uint32Array[] {
  const outside = members.length - 1;
  const cellsOf = new Uint8Array(nodes.count);
  for (const cell of members.slice(0, outside))
    for (const node of cell) cellsOf[node] = Math.min(2, cellsOf[node]! + 1);
  const comingFrom = new Map<number, number[]>();
  for (let e = 0; e < graph.edgeCount; e++) {
    const from = comingFrom.get(nodes.head[e]!);
    if (from === undefined) comingFrom.set(nodes.head[e]!, [nodes.tail[e]!]);
    else from.push(nodes.tail[e]!);
  }
  return members.map((cell, index) => {
    const entered =
      index === outside
        ? Array.from(graph.exitEdges, (e) => nodes.tail[e]!)
        : [...cell].filter(
            (node) => cellsOf[node]! > 1 || (comingFrom.get(node) ?? []).some((from) => !cell.has(from)),
          );
    return Uint32Array.from(new Set(entered), (node) => nodes.rankOf[node]!);
  });
}

/** Halves the shapes again and again by the middle of their longer side: cells of alike many roads. */
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
    // Equal coordinates stay in the order of the shapes: the same graph is always cut alike.
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
  // Ends of road are told apart by where they are: two that lie on top of each other become one, which only shortens.
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
  const milliseconds = new Uint32Array(edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    let cheapest = Infinity;
    for (let a = arcStart[e]!; a < arcStart[e + 1]!; a++) cheapest = Math.min(cheapest, arcMilliseconds[a]!);
    const slot = next[tail[e]!]!++;
    to[slot] = head[e]!;
    milliseconds[slot] = graph.edgeMilliseconds[e]! + (cheapest === Infinity ? 0 : cheapest);
  }
  const hierarchy = contract({
    edgeMilliseconds: new Uint32Array(count),
    edgeDecimetres: new Uint32Array(count),
    arcStart: start,
    arcTo: to,
    arcMilliseconds: milliseconds,
  });
  return {
    count,
    tail,
    head,
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
 * Times from several sets of nodes to all nodes at once: each lane climbs by itself, then one pass down the hierarchy
 * serves all lanes (D. Delling, A. Goldberg, A. Nowatzyk, R. Werneck: PHAST, 2011).
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

  /** Everything above a set, in order of rank: whatever is reached is reached from below only. */
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
