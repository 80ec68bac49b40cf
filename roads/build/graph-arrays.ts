import type { LonLat } from '../graph/geometry.ts';
import { COORDINATE_DEGREES, NO_PART, PICK_UP, type RoadGraphData } from '../graph/graph.ts';
import { outsideWeight } from '../graph/outside.ts';
import { weightDecimetres, weightMilliseconds } from '../graph/weight.ts';
import type { Rows } from './components.ts';
import type { Edge } from './edges.ts';
import type { Link } from './links.ts';

/** The permitted turns from each edge, with their costs. */
export type Turns = Rows & { milliseconds: Uint32Array };

/** The edges that the graph keeps: those of its parts, and links between them. */
export interface KeptEdges {
  kept: number[];
  partOf: Uint16Array;
  inCore: Uint8Array;
  links: readonly Link[];
}

/** Lays the remaining edges out as flat shared arrays, and the links after them. */
export function arraysOf(
  edges: readonly Edge[],
  turns: Turns,
  keptEdges: KeptEdges,
): Omit<RoadGraphData, 'bounds' | 'packBounds' | 'exitEdges' | 'entryEdges'> {
  const { kept, links } = keptEdges;
  const renumbered = new Int32Array(edges.length).fill(-1);
  kept.forEach((e, i) => (renumbered[e] = i));
  const layout = emptyLayout(kept.length + links.length);
  const nodes = new Set<number>();
  const linksFrom = Map.groupBy(links.keys(), (l) => links[l]!.exit.edge);
  kept.forEach((e, i) => {
    const edge = edges[e]!;
    nodes.add(edge.tail.id).add(edge.head.id);
    layEdge(layout, i, edge, edge.reverse < 0 ? -1 : renumbered[edge.reverse]!);
    // A person is picked up only where the car can come from anywhere and go anywhere.
    layout.arrays.edgeFlags[i] = edge.segment.road.pickUp && keptEdges.inCore[e] ? PICK_UP : 0;
    layout.arrays.edgePart[i] = keptEdges.partOf[e]!;
    for (let a = turns.start[e]!; a < turns.start[e + 1]!; a++) {
      const target = renumbered[turns.to[a]!]!;
      if (target >= 0) layArc(layout, target, turns.milliseconds[a]!);
    }
    for (const l of linksFrom.get(e) ?? []) layArc(layout, kept.length + l, 0);
    layout.arcStart[i + 1] = layout.arcs.length;
  });
  links.forEach((link, l) => {
    const i = kept.length + l;
    layLink(layout, i, link);
    layArc(layout, renumbered[link.entry.edge]!, 0);
    layout.arcStart[i + 1] = layout.arcs.length;
  });
  return {
    ...layout.arrays,
    arcStart: layout.arcStart,
    arcTo: sharedUint32(layout.arcs),
    arcMilliseconds: sharedUint32(layout.arcTimes),
    ...shapeArrays(layout.shapes),
    names: layout.names,
    nodeCount: nodes.size,
  };
}

/** The arrays while they are filled: each name and each shape is stored once. */
function emptyLayout(count: number) {
  return {
    arrays: {
      edgeMilliseconds: sharedUint32(count),
      edgeDecimetres: sharedUint32(count),
      edgeReverse: new Int32Array(new SharedArrayBuffer(count * 4)),
      edgeName: new Int32Array(new SharedArrayBuffer(count * 4)),
      edgeShape: sharedUint32(count),
      edgeFlags: new Uint8Array(new SharedArrayBuffer(count)),
      edgePart: new Uint16Array(new SharedArrayBuffer(count * 2)),
    },
    arcStart: sharedUint32(count + 1),
    arcs: [] as number[],
    arcTimes: [] as number[],
    names: [] as string[],
    nameIndex: new Map<string, number>(),
    shapes: [] as { nodes: readonly LonLat[] }[],
    shapeIndex: new Map<number, number>(),
  };
}

type Layout = ReturnType<typeof emptyLayout>;

function layArc({ arcs, arcTimes }: Layout, target: number, milliseconds: number): void {
  arcs.push(target);
  arcTimes.push(milliseconds);
}

/** @param reverse the graph's number of the same road's opposite edge; -1 for none. */
function layEdge(layout: Layout, i: number, { segment, index, against }: Edge, reverse: number): void {
  const { arrays, names, nameIndex, shapes, shapeIndex } = layout;
  const { road, metres } = segment;
  if (!shapeIndex.has(index)) shapeIndex.set(index, shapes.push(segment) - 1);
  if (road.name !== null && !nameIndex.has(road.name)) nameIndex.set(road.name, names.push(road.name) - 1);
  const kmh = against ? road.backwardKmh : road.forwardKmh;
  const delay = against ? segment.backwardDelay : segment.forwardDelay;
  arrays.edgeMilliseconds[i] = Math.max(1, Math.round((metres * 3600) / kmh) + delay);
  arrays.edgeDecimetres[i] = Math.max(1, Math.round(metres * 10));
  arrays.edgeReverse[i] = reverse;
  arrays.edgeName[i] = road.name === null ? -1 : nameIndex.get(road.name)!;
  arrays.edgeShape[i] = shapeIndex.get(index)! * 2 + (against ? 1 : 0);
}

function layLink({ arrays, shapes }: Layout, i: number, { exit, entry }: Link): void {
  const weight = outsideWeight(exit.at, entry.at);
  arrays.edgeMilliseconds[i] = Math.max(1, weightMilliseconds(weight));
  arrays.edgeDecimetres[i] = Math.max(1, weightDecimetres(weight));
  arrays.edgeReverse[i] = -1;
  arrays.edgeName[i] = -1;
  arrays.edgeShape[i] = (shapes.push({ nodes: [exit.at, entry.at] }) - 1) * 2;
  arrays.edgePart[i] = NO_PART;
}

function shapeArrays(shapes: readonly { nodes: readonly LonLat[] }[]): {
  shapeStart: Uint32Array;
  shapePoints: Int32Array;
} {
  const shapeStart = sharedUint32(shapes.length + 1);
  shapes.forEach(({ nodes }, s) => (shapeStart[s + 1] = shapeStart[s]! + nodes.length));
  const shapePoints = new Int32Array(new SharedArrayBuffer(shapeStart[shapes.length]! * 8));
  let at = 0;
  for (const { nodes } of shapes) {
    for (const { lon, lat } of nodes) {
      shapePoints[at++] = Math.round(lon / COORDINATE_DEGREES);
      shapePoints[at++] = Math.round(lat / COORDINATE_DEGREES);
    }
  }
  return { shapeStart, shapePoints };
}

/** Numbers in shared memory: `content` zeros where it is a count, else its numbers. */
export function sharedUint32(content: number | number[]): Uint32Array {
  const length = typeof content === 'number' ? content : content.length;
  const array = new Uint32Array(new SharedArrayBuffer(length * 4));
  if (typeof content !== 'number') array.set(content);
  return array;
}
