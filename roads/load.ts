import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buildRoadGraph } from './build.ts';
import { readCache, writeCache, type StoredRoads } from './cache.ts';
import { contract } from './contraction.ts';
import { readRoadData } from './extract.ts';
import { createRoadNetwork } from './graph-network.ts';
import { completeGraph, type LandPolygons, type RoadGraph } from './graph.ts';
import type { RoadNetwork } from './network.ts';
import { drivesOnLeft } from './profile.ts';

interface LoadOptions {
  /** An OpenStreetMap extract, .osm.pbf. */
  pbfFile: string;
  /** Where the built graph is kept between starts; made when missing. */
  cacheFolder: string;
  /** GeoJSON (Polygon or MultiPolygon, bare or as a feature) of dry land around the region. */
  landFile?: string;
  /** ISO 3166-1 alpha-2 code of the country, for the side of the road; the right side when it is not known. */
  country?: string;
  /** Told what is being done, for a start-up log; while contracting also the share done, 0 … 1, again and again. */
  onProgress?: (step: LoadStep, share?: number) => void;
}

type LoadStep = 'reading cache' | 'reading extract' | 'building graph' | 'contracting' | 'writing cache';

/**
 * Loads a region's roads: from the cache when it was built from this very extract, else from the extract.
 * A cache that is stale or damaged is built anew.
 * @throws when the extract is missing, unreadable, or holds no road.
 */
export async function loadRoadNetwork(options: LoadOptions): Promise<RoadNetwork> {
  return (await loadRoads(options)).network;
}

/** As `loadRoadNetwork`, with the graph for what is built upon it. */
export async function loadRoads(options: LoadOptions): Promise<{ network: RoadNetwork; graph: RoadGraph }> {
  const land = options.landFile ? await readLand(options.landFile) : [];
  const graph = await loadRoadGraph(options);
  return { network: createRoadNetwork(graph, { land }), graph };
}

/** As `loadRoadNetwork`, without the land: the graph alone, all in shared memory, for a network in each thread. */
export async function loadRoadGraph(options: LoadOptions): Promise<RoadGraph> {
  const { graph, hierarchy } = await readOrBuild(options);
  return completeGraph(graph, hierarchy);
}

async function readOrBuild({
  pbfFile,
  cacheFolder,
  country = '',
  onProgress,
}: LoadOptions): Promise<StoredRoads> {
  onProgress?.('reading cache');
  const keepsLeft = drivesOnLeft(country);
  const source = `${await checksum(pbfFile)}${keepsLeft ? '-left' : ''}`;
  const cacheFile = join(
    cacheFolder,
    `${basename(pbfFile).replace(/(\.osm)?\.pbf$/, '')}-${source.slice(0, 12)}.roads`,
  );
  const cached = await readCache(cacheFile, source);
  if (cached) return cached;
  onProgress?.('reading extract');
  const data = await readRoadData(pbfFile);
  onProgress?.('building graph');
  const graph = buildRoadGraph(data, { drivesOnLeft: keepsLeft });
  onProgress?.('contracting', 0);
  const hierarchy = contract(graph, (share) => onProgress?.('contracting', share));
  onProgress?.('writing cache');
  await writeCache(cacheFile, { graph, hierarchy }, source);
  return { graph, hierarchy };
}

async function checksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

interface LandGeometry {
  type: string;
  coordinates?: unknown;
  geometry?: LandGeometry;
}

async function readLand(file: string): Promise<LandPolygons> {
  const json = JSON.parse(await readFile(file, 'utf8')) as LandGeometry;
  const geometry = json.geometry ?? json;
  if (geometry.type === 'MultiPolygon') return geometry.coordinates as LandPolygons;
  if (geometry.type === 'Polygon') return [geometry.coordinates as LandPolygons[number]];
  throw new Error(`${file}: expected a Polygon or MultiPolygon, found ${geometry.type}`);
}
