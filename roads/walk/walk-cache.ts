import { readArrays, writeArrays, type ArrayFileKind } from '../graph/array-file.ts';
import type { WalkArrays, WalkGraph } from './walk-graph.ts';

/**
 * Raise the version whenever anything that goes into a walkable network (access rules, stops, islands)
 * changes.
 */
const WALKS: ArrayFileKind<WalkArrays> = {
  magic: 'SWWALKS\n',
  version: 2,
  types: {
    linkStart: Uint32Array,
    linkPiece: Uint32Array,
    pieceFrom: Uint32Array,
    pieceTo: Uint32Array,
    pieceDecimetres: Uint32Array,
    shapeStart: Uint32Array,
    shapePoints: Int32Array,
    pieceBoxes: Uint8Array,
    stopStart: Uint32Array,
    stopDecimetres: Uint32Array,
    stopPoints: Int32Array,
    stopName: Int32Array,
    stopRank: Uint8Array,
  },
};

/** Saves a walkable network. @param source identifies what it was built from: the extracts and the roads. */
export async function writeWalkCache(file: string, graph: WalkGraph, source: string): Promise<void> {
  await writeArrays(file, WALKS, { arrays: graph, facts: graph.names, source });
}

/**
 * Reads a saved network into shared memory; null when it is missing, has another source or version, or is
 * damaged.
 */
export async function readWalkCache(file: string, source: string): Promise<WalkGraph | null> {
  const found = await readArrays(file, WALKS, source);
  return found && { ...found.arrays, names: found.facts as string[] };
}
