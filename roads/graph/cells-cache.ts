import { crc32 } from 'node:zlib';
import { readArrays, writeArrays, type ArrayFileKind } from './array-file.ts';
import { buildCells, type RoadCells } from './cells.ts';
import type { RoadGraph } from './graph.ts';

type CellArrays = Omit<RoadCells, 'count'>;

/** Raise the version whenever the cut or the bounds between cells change. */
const CELLS: ArrayFileKind<CellArrays> = {
  magic: 'SWCELLS\n',
  version: 1,
  types: { cellOfShape: Uint16Array, seconds: Uint16Array, leaving: Uint32Array, entering: Uint32Array },
};

/**
 * The cells of a graph: from a file that holds them, else built and stored there. A country's take a minute
 * to build.
 */
export async function keptCells(graph: RoadGraph, file: string): Promise<RoadCells> {
  const source = fingerprintOf(graph);
  const found = await readArrays(file, CELLS, source);
  if (found !== null) return { ...found.arrays, count: found.facts as number };
  const { count, ...arrays } = buildCells(graph);
  await writeArrays(file, CELLS, { arrays, facts: count, source });
  return { ...arrays, count };
}

/** Tells roads apart: all that times and bounds on them depend on. */
export function fingerprintOf(graph: RoadGraph): string {
  const { edgeMilliseconds, edgeShape, edgeFlags, arcStart, arcTo, arcMilliseconds, shapePoints } = graph;
  const { exitEdges, entryEdges, hierarchy } = graph;
  const arrays = [
    edgeMilliseconds,
    edgeShape,
    edgeFlags,
    arcStart,
    arcTo,
    arcMilliseconds,
    shapePoints,
    exitEdges,
    entryEdges,
    hierarchy.rankOf,
    hierarchy.upTo,
    hierarchy.downFrom,
  ];
  const sum = arrays.reduce(
    (before, { buffer, byteOffset, byteLength }) =>
      crc32(new Uint8Array(buffer, byteOffset, byteLength), before),
    0,
  );
  return `${graph.edgeCount}-${sum.toString(16)}`;
}
