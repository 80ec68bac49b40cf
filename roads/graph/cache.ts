import { readArrays, writeArrays, type ArrayFileKind, type ArrayTypes } from './array-file.ts';
import type { RoadArrays, RoadGraphData } from './graph.ts';
import type { Hierarchy } from './hierarchy.ts';

const ROAD_ARRAYS: ArrayTypes<RoadArrays> = {
  edgeMilliseconds: Uint32Array,
  edgeDecimetres: Uint32Array,
  edgeReverse: Int32Array,
  edgeName: Int32Array,
  edgeShape: Uint32Array,
  edgeFlags: Uint8Array,
  edgePart: Uint16Array,
  arcStart: Uint32Array,
  arcTo: Uint32Array,
  arcMilliseconds: Uint32Array,
  shapeStart: Uint32Array,
  shapePoints: Int32Array,
  exitEdges: Uint32Array,
  entryEdges: Uint32Array,
};
const HIERARCHY_ARRAYS: ArrayTypes<Hierarchy> = {
  rankOf: Uint32Array,
  edgeAt: Uint32Array,
  upStart: Uint32Array,
  upTo: Uint32Array,
  upWeight: Float64Array,
  upMiddle: Int32Array,
  downStart: Uint32Array,
  downFrom: Uint32Array,
  downWeight: Float64Array,
  downMiddle: Int32Array,
};

/**
 * Raise the version whenever anything that goes into a graph (profile, turns, order of contraction) changes.
 */
const ROADS: ArrayFileKind<RoadArrays & Hierarchy> = {
  magic: 'SWROADS\n',
  version: 9,
  types: { ...ROAD_ARRAYS, ...HIERARCHY_ARRAYS },
};

/** The contents of the cache: the graph as built, and its hierarchy. */
export interface StoredRoads {
  graph: RoadGraphData;
  hierarchy: Hierarchy;
}

type RoadFacts = Omit<RoadGraphData, keyof RoadArrays>;

/** Saves a graph. @param source checksums of the extracts that it was built from. */
export async function writeCache(
  file: string,
  { graph, hierarchy }: StoredRoads,
  source: string,
): Promise<void> {
  const { names, bounds, packBounds, nodeCount } = graph;
  const facts: RoadFacts = { names, bounds, packBounds, nodeCount };
  await writeArrays(file, ROADS, { arrays: { ...graph, ...hierarchy }, facts, source });
}

/**
 * Reads a saved graph into shared memory; null when it is missing, has another source or version, or is
 * damaged.
 */
export async function readCache(file: string, source: string): Promise<StoredRoads | null> {
  const found = await readArrays(file, ROADS, source);
  if (found === null) return null;
  const { arrays, facts } = found;
  return {
    graph: { ...only(arrays, ROAD_ARRAYS), ...(facts as RoadFacts) },
    hierarchy: only(arrays, HIERARCHY_ARRAYS),
  };
}

function only<Arrays extends object>(arrays: Arrays, types: ArrayTypes<Arrays>): Arrays {
  const names = Object.keys(types) as (keyof Arrays)[];
  return Object.fromEntries(names.map((name) => [name, arrays[name]])) as Arrays;
}
