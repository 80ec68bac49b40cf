import type { Bounds } from './geometry.ts';
import { contract } from '../build/contraction.ts';
import type { Hierarchy } from './hierarchy.ts';
import { packWeight } from './weight.ts';

/** Degrees in one unit of a stored coordinate. */
export const COORDINATE_DEGREES = 1e-7;

/** Bits of `edgeFlags`. */
export const PICK_UP = 1;

/** The part of an edge that is no road: a link between two parts. */
export const NO_PART = 0xff_ff;

/**
 * The road graph as flat arrays, as built and as cached. Its vertices are directed edges ("edges"), its arcs
 * the permitted turns from the end of one edge into the start of the next: a forbidden turn has no arc.
 */
export interface RoadArrays {
  /** Driving time of each edge in milliseconds. */
  edgeMilliseconds: Uint32Array;
  edgeDecimetres: Uint32Array;
  /** The same road in the other direction, -1 when one-way. */
  edgeReverse: Int32Array;
  /** Index into `names`, -1 when nameless. */
  edgeName: Int32Array;
  /** Twice the index of the shape, plus 1 when the edge runs against it. */
  edgeShape: Uint32Array;
  edgeFlags: Uint8Array;
  /** The strongly connected part that an edge belongs to or adjoins; NO_PART for a link. */
  edgePart: Uint16Array;
  /** Arcs of edge e: `arcStart[e] … arcStart[e + 1] - 1`. */
  arcStart: Uint32Array;
  arcTo: Uint32Array;
  arcMilliseconds: Uint32Array;
  /**
   * Vertices of shape s: `shapeStart[s] … shapeStart[s + 1] - 1`, each lon then lat, in COORDINATE_DEGREES.
   */
  shapeStart: Uint32Array;
  shapePoints: Int32Array;
  /** Edges that end where a road leaves the region, and those that start where one comes in. */
  exitEdges: Uint32Array;
  entryEdges: Uint32Array;
}

export interface RoadGraphData extends RoadArrays {
  names: string[];
  /** The rectangle around all extracts, and that of each. */
  bounds: Bounds;
  packBounds: Bounds[];
  nodeCount: number;
}

/** The graph with what searches need, derived from the arrays in memory. */
export interface RoadGraph extends RoadGraphData {
  edgeCount: number;
  edgeWeight: Float64Array;
  arcWeight: Float64Array;
  hierarchy: Hierarchy;
}

/** Coordinates of a GeoJSON MultiPolygon. */
export type LandPolygons = [lon: number, lat: number][][][];

/** A typed array over shared memory, so that worker threads can read the same graph. */
function sharedFloats(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}

/**
 * Derives weights, and the hierarchy where none was cached. Every array is shared memory: a thread given the
 * graph copies none of it.
 */
export function completeGraph(data: RoadGraphData, hierarchy: Hierarchy = contract(data)): RoadGraph {
  const edgeCount = data.edgeMilliseconds.length;
  const edgeWeight = sharedFloats(edgeCount);
  for (let e = 0; e < edgeCount; e++) {
    edgeWeight[e] = packWeight(data.edgeMilliseconds[e]!, data.edgeDecimetres[e]!);
  }
  const arcWeight = sharedFloats(data.arcTo.length);
  for (let a = 0; a < arcWeight.length; a++) arcWeight[a] = packWeight(data.arcMilliseconds[a]!, 0);
  return { ...data, edgeCount, edgeWeight, arcWeight, hierarchy };
}

/** The line of an edge in driving direction, as [lon, lat] pairs in degrees. */
export function edgeLine(graph: RoadArrays, edge: number): [lon: number, lat: number][] {
  const shape = graph.edgeShape[edge]! >> 1;
  const line: [number, number][] = [];
  for (let i = graph.shapeStart[shape]!; i < graph.shapeStart[shape + 1]!; i++) {
    line.push([
      round7(graph.shapePoints[2 * i]! * COORDINATE_DEGREES),
      round7(graph.shapePoints[2 * i + 1]! * COORDINATE_DEGREES),
    ]);
  }
  return graph.edgeShape[edge]! & 1 ? line.toReversed() : line;
}

/** Rounds degrees to the seven decimals that OpenStreetMap stores. */
export function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
