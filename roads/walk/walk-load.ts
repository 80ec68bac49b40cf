import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RoadGraph } from '../graph/graph.ts';
import { buildWalkGraph } from './walk-build.ts';
import { readWalkCache, writeWalkCache } from './walk-cache.ts';
import { readWalkWays } from './walk-extract.ts';
import type { WalkGraph } from './walk-graph.ts';
import { createWalkNetwork, type WalkNetwork } from './walk-network.ts';

interface WalkLoadOptions {
  /** OpenStreetMap extracts, .osm.pbf: the ones the roads were built from. */
  pbfFiles: readonly string[];
  /** The roads on which cars stop. */
  roads: RoadGraph;
  /** Where the built network is cached between starts; created when missing. */
  cacheFolder: string;
  /** Called with each step, for a start-up log. */
  onProgress?: (step: WalkLoadStep) => void;
}

type WalkLoadStep = 'reading cache' | 'reading extract' | 'building network' | 'writing cache';

/**
 * Loads the walkable network: from the cache when it was built from the same extracts and roads, else from
 * the extracts.
 * @throws when an extract is missing or unreadable.
 */
export async function loadWalkNetwork(options: WalkLoadOptions): Promise<WalkNetwork> {
  return createWalkNetwork(await loadWalkGraph(options));
}

/** As `loadWalkNetwork`: the graph alone, all in shared memory, for a network in each thread. */
export async function loadWalkGraph({
  pbfFiles,
  roads,
  cacheFolder,
  onProgress,
}: WalkLoadOptions): Promise<WalkGraph> {
  onProgress?.('reading cache');
  const source = await checksum(pbfFiles, roads);
  const [first = ''] = pbfFiles;
  const name = `${basename(first).replace(/(\.osm)?\.pbf$/, '')}-${source.slice(0, 12)}.walks`;
  const cacheFile = join(cacheFolder, name);
  const cached = await readWalkCache(cacheFile, source);
  if (cached) return cached;
  onProgress?.('reading extract');
  const ways = await readWalkWays(pbfFiles);
  onProgress?.('building network');
  const graph = buildWalkGraph(ways, roads);
  onProgress?.('writing cache');
  await writeWalkCache(cacheFile, graph, source);
  return graph;
}

/** A checksum of the extracts and of what stops depend on in the roads. */
async function checksum(pbfFiles: readonly string[], roads: RoadGraph): Promise<string> {
  const hash = createHash('sha256');
  for (const file of pbfFiles) await pipeline(createReadStream(file), hash, { end: false });
  for (const { buffer, byteOffset, byteLength } of [
    roads.edgeShape,
    roads.edgeFlags,
    roads.edgeName,
    roads.shapeStart,
    roads.shapePoints,
  ])
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.update(roads.names.join('\n')).digest('hex');
}
