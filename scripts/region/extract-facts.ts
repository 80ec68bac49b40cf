import { open, stat } from 'node:fs/promises';
import { buildRoadGraph } from '../../roads/build/build.ts';
import { readRoadData } from '../../roads/build/extract.ts';
import type { Bounds } from '../../roads/graph/geometry.ts';
import { readOsm } from '../../roads/build/osm.ts';
import { drivesOnLeft } from '../../roads/build/profile.ts';

interface ExtractFacts {
  nodes: number;
  ways: number;
  /** The rectangle in the extract's header, else the one around its nodes. */
  bounds: Bounds;
}

/** The beginning of every .osm.pbf, after four bytes of length: a field 1 of nine letters. */
const BEGINNING = Buffer.from('\n\tOSMHeader', 'latin1');

/**
 * Reads an extract once from end to end.
 * @param name what the extract is called in messages.
 * @throws Error with one sentence when it is empty, damaged, something else, or not in the order that readers
 *   rely on.
 */
export async function readExtractFacts(pbfFile: string, name: string): Promise<ExtractFacts> {
  const { size } = await stat(pbfFile);
  if (size === 0) throw new Error(`${name} is empty.`);
  if (!(await beginsAsPbf(pbfFile))) throw new Error(`${name} is not an OpenStreetMap extract (.osm.pbf).`);
  let stated: Bounds | null = null;
  const around: Bounds = [180, 90, -180, -90];
  const counts = { node: 0, way: 0, relation: 0 };
  let inOrder = true;
  try {
    for await (const element of readOsm(pbfFile, (bounds) => (stated = bounds))) {
      counts[element.type]++;
      if (element.type !== 'node') continue;
      inOrder &&= counts.way + counts.relation === 0;
      around[0] = Math.min(around[0], element.lon);
      around[1] = Math.min(around[1], element.lat);
      around[2] = Math.max(around[2], element.lon);
      around[3] = Math.max(around[3], element.lat);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} is damaged or incomplete, it cannot be read to its end (${why}).`, {
      cause: error,
    });
  }
  const { node: nodes, way: ways } = counts;
  if (nodes === 0 && ways > 0)
    throw new Error(`${name} holds ways without their nodes, so nobody knows where they are.`);
  if (ways === 0) throw new Error(`${name} holds no ways, so there is nothing to build from.`);
  if (!inOrder)
    throw new Error(
      `${name} is not in the usual order (nodes, ways, relations); "osmium sort" puts it right.`,
    );
  return { nodes, ways, bounds: (stated ?? around).map(round7) as Bounds };
}

/**
 * Builds the road graph once, so that a pack whose roads the server could not load is never made.
 * @throws Error with one sentence when no car can drive anywhere in the extract.
 */
export async function countRoads(pbfFile: string, name: string, country: string): Promise<number> {
  const data = await readRoadData(pbfFile);
  try {
    const graph = buildRoadGraph(data, { drivesOnLeft: drivesOnLeft(country) });
    return graph.edgeMilliseconds.length;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} makes no road network: ${why}.`, { cause: error });
  }
}

async function beginsAsPbf(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 4);
    return buffer.equals(BEGINNING);
  } finally {
    await handle.close();
  }
}

function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
