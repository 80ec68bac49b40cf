import { greatCircleMetres, type Bounds } from '../../roads/graph/geometry.ts';
import {
  COORDINATE_DEGREES,
  edgeLine,
  type RoadArrays,
  type RoadGraph,
  type RoadGraphData,
} from '../../roads/graph/graph.ts';

/** A country laid out of copies of one region, side by side, joined by motorways between their gateways. */
export interface Country {
  graph: RoadGraphData;
  /** Copies from west to east, and from south to north. */
  columns: number;
  rows: number;
  /** Degrees from one copy to the next. */
  stepLon: number;
  stepLat: number;
}

/** A road between two copies: no straighter than roads are, and driven like a motorway. */
const linkFactor = 1.2;
const linkKmh = 100;

/** The positions of a region's copies. */
interface Tiling {
  region: RoadGraph;
  columns: number;
  rows: number;
  stepLon: number;
  stepLat: number;
}

/** Copies a region's roads until there are at least `atLeastNodes` nodes. */
export function tile(region: RoadGraph, atLeastNodes: number): Country {
  const copies = Math.ceil(atLeastNodes / region.nodeCount);
  const columns = Math.ceil(Math.sqrt(copies));
  const rows = Math.ceil(copies / columns);
  const [west, south, east, north] = region.bounds;
  const gapDegrees = 0.02;
  const [stepLon, stepLat] = [east - west + gapDegrees, north - south + gapDegrees];
  const tiling: Tiling = { region, columns, rows, stepLon, stepLat };
  const count = columns * rows;
  const links = linksOf(tiling);
  const graph = roomFor(region, count, links.length);
  const linksFrom = Map.groupBy(links.keys(), (index) => links[index]!.from);
  let arc = 0;
  for (let copy = 0; copy < count; copy++) {
    arc = layArcs(graph, tiling, { copy, arc, linksFrom });
    layShapes(graph, tiling, copy);
  }
  layLinks(graph, tiling, links, arc);
  const bounds: Bounds = [west, south, west + columns * stepLon, south + rows * stepLat];
  return {
    graph: {
      ...graph,
      names: region.names,
      bounds,
      packBounds: [bounds],
      nodeCount: region.nodeCount * count,
    },
    columns,
    rows,
    stepLon,
    stepLat,
  };
}

/** Arrays for `count` copies of a region and the links between them, not yet filled. */
function roomFor(region: RoadGraph, count: number, links: number): RoadArrays {
  const { edges, arcs, shapes, points } = sizesOf(region);
  const total = edges * count + links;
  return {
    edgeMilliseconds: uint32(total),
    edgeDecimetres: uint32(total),
    edgeReverse: int32(total).fill(-1),
    edgeName: int32(total).fill(-1),
    edgeShape: uint32(total),
    edgeFlags: new Uint8Array(new SharedArrayBuffer(total)),
    // All in part 0: the motorways between the copies are roads like others.
    edgePart: new Uint16Array(new SharedArrayBuffer(total * 2)),
    arcStart: uint32(total + 1),
    arcTo: uint32(arcs * count + links * 2),
    arcMilliseconds: uint32(arcs * count + links * 2),
    shapeStart: uint32(shapes * count + links + 1),
    shapePoints: int32((points * count + links * 2) * 2),
    exitEdges: uint32(0),
    entryEdges: uint32(0),
  };
}

const sizesOf = (region: RoadGraph) => ({
  edges: region.edgeCount,
  arcs: region.arcTo.length,
  shapes: region.shapeStart.length - 1,
  points: region.shapePoints.length / 2,
});

/** Writes the edges of one copy and where each leads, from `arc` on. @returns the next free arc */
function layArcs(
  graph: RoadArrays,
  { region, columns, rows }: Tiling,
  { copy, arc: firstArc, linksFrom }: { copy: number; arc: number; linksFrom: Map<number, number[]> },
): number {
  const { edges, shapes } = sizesOf(region);
  const count = columns * rows;
  let arc = firstArc;
  const first = copy * edges;
  graph.edgeMilliseconds.set(region.edgeMilliseconds, first);
  graph.edgeDecimetres.set(region.edgeDecimetres, first);
  graph.edgeName.set(region.edgeName, first);
  graph.edgeFlags.set(region.edgeFlags, first);
  for (let e = 0; e < edges; e++) {
    const edge = first + e;
    if (region.edgeReverse[e]! >= 0) graph.edgeReverse[edge] = first + region.edgeReverse[e]!;
    graph.edgeShape[edge] = region.edgeShape[e]! + copy * shapes * 2;
    for (let a = region.arcStart[e]!; a < region.arcStart[e + 1]!; a++, arc++) {
      graph.arcTo[arc] = first + region.arcTo[a]!;
      graph.arcMilliseconds[arc] = region.arcMilliseconds[a]!;
    }
    for (const link of linksFrom.get(edge) ?? []) graph.arcTo[arc++] = edges * count + link;
    graph.arcStart[edge + 1] = arc;
  }
  return arc;
}

/** Writes the lines of one copy, moved to where it lies. */
function layShapes(graph: RoadArrays, { region, columns, stepLon, stepLat }: Tiling, copy: number): void {
  const { shapes, points } = sizesOf(region);
  const [lon, lat] = [(copy % columns) * stepLon, Math.floor(copy / columns) * stepLat];
  const [dLon, dLat] = [Math.round(lon / COORDINATE_DEGREES), Math.round(lat / COORDINATE_DEGREES)];
  for (let s = 0; s < shapes; s++)
    graph.shapeStart[copy * shapes + s + 1] = region.shapeStart[s + 1]! + copy * points;
  for (let p = 0; p < points; p++) {
    graph.shapePoints[2 * (copy * points + p)] = region.shapePoints[2 * p]! + dLon;
    graph.shapePoints[2 * (copy * points + p) + 1] = region.shapePoints[2 * p + 1]! + dLat;
  }
}

/** Writes the roads between the copies behind all others, from `arc` on. */
function layLinks(
  graph: RoadArrays,
  { region, columns, rows }: Tiling,
  links: readonly Link[],
  firstArc: number,
): void {
  const { edges, shapes, points } = sizesOf(region);
  const count = columns * rows;
  let arc = firstArc;
  links.forEach(({ to, metres, line }, index) => {
    const edge = edges * count + index;
    const shape = shapes * count + index;
    const point = points * count + index * 2;
    graph.edgeMilliseconds[edge] = Math.max(1, Math.round((metres * 3600) / linkKmh));
    graph.edgeDecimetres[edge] = Math.max(1, Math.round(metres * 10));
    graph.edgeShape[edge] = shape * 2;
    graph.shapeStart[shape + 1] = point + 2;
    line.flat().forEach((degrees, i) => {
      graph.shapePoints[point * 2 + i] = Math.round(degrees / COORDINATE_DEGREES);
    });
    graph.arcTo[arc++] = to;
    graph.arcStart[edge + 1] = arc;
  });
}

interface Link {
  /** The edge that ends at the gateway, and the one that starts at the other. */
  from: number;
  to: number;
  metres: number;
  line: [lon: number, lat: number][];
}

/** Both ways between each copy and the ones east and north of it, from the gateways nearest to each other. */
function linksOf({ region, columns, rows, stepLon, stepLat }: Tiling): Link[] {
  const exits = Array.from(region.exitEdges, (edge) => ({ edge, at: edgeLine(region, edge).at(-1)! }));
  const entries = Array.from(region.entryEdges, (edge) => ({ edge, at: edgeLine(region, edge)[0]! }));
  if (exits.length === 0 || entries.length === 0)
    throw new Error('the region has no main road at its border: copies of it cannot be joined');
  const links: Link[] = [];
  const join = (from: [number, number], to: [number, number]) => {
    const shifted = ([lon, lat]: [number, number], [column, row]: [number, number]): [number, number] => [
      lon + column * stepLon,
      lat + row * stepLat,
    ];
    const offset = ([column, row]: [number, number]) => (row * columns + column) * region.edgeCount;
    const pairs = exits.flatMap((exit) =>
      entries.map((entry) => {
        const line: [number, number][] = [shifted(exit.at, from), shifted(entry.at, to)];
        const [a, b] = line.map(([lon, lat]) => ({ lon, lat }));
        const metres = greatCircleMetres(a!, b!) * linkFactor;
        return { from: exit.edge + offset(from), to: entry.edge + offset(to), metres, line };
      }),
    );
    links.push(pairs.toSorted((a, b) => a.metres - b.metres)[0]!);
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const neighbors: [number, number][] = [
        [column + 1, row],
        [column, row + 1],
      ];
      for (const other of neighbors) {
        if (other[0] >= columns || other[1] >= rows) continue;
        join([column, row], other);
        join(other, [column, row]);
      }
    }
  }
  return links;
}

const uint32 = (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4));
const int32 = (length: number) => new Int32Array(new SharedArrayBuffer(length * 4));
