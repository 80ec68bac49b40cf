import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buildSharedGraph } from '../build/build.ts';
import { readCache, writeCache, type StoredRoads } from './cache.ts';
import { contract } from '../build/contraction.ts';
import { readRoadData } from '../build/extract.ts';
import { createRoadNetwork } from './graph-network.ts';
import { completeGraph, type LandPolygons, type RoadGraph } from './graph.ts';
import type { RoadNetwork } from './network.ts';
import type { PackRoads } from '../build/packs.ts';
import { drivesOnLeft } from '../build/profile.ts';

/** The roads of one region pack. */
export interface RoadPack {
  /** An OpenStreetMap extract, .osm.pbf. */
  pbfFile: string;
  /**
   * GeoJSON (Polygon or MultiPolygon, bare, as a feature or as the features of a collection) of dry land
   * around the region.
   */
  landFile?: string;
  /**
   * ISO 3166-1 alpha-2 code of the country, for the side of the road; traffic keeps right when it is missing.
   */
  country?: string;
}

interface LoadOptions extends RoadPack {
  /** Further packs that make one network with it. */
  more?: readonly RoadPack[];
  /** Where the built graph is cached between starts; created when missing. */
  cacheFolder: string;
  /** Called with each step, for a start-up log; while contracting repeatedly with the share done, 0 … 1. */
  onProgress?: (step: LoadStep, share?: number) => void;
}

type LoadStep = 'reading cache' | 'reading extract' | 'building graph' | 'contracting' | 'writing cache';

/**
 * Loads the roads of a region or of several as one network: from the cache when it was built from the same
 * extracts, else from the extracts. Rebuilds a stale or damaged cache.
 * @throws when the extract is missing, unreadable, or holds no road.
 */
export async function loadRoadNetwork(options: LoadOptions): Promise<RoadNetwork> {
  return (await loadRoads(options)).network;
}

/** As `loadRoadNetwork`, and returns the graph, too. */
export async function loadRoads(options: LoadOptions): Promise<{ network: RoadNetwork; graph: RoadGraph }> {
  const landFiles = packsOf(options).flatMap(({ landFile }) => landFile ?? []);
  const lands = await Promise.all(landFiles.map(readLand));
  const graph = await loadRoadGraph(options);
  return { network: createRoadNetwork(graph, { lands }), graph };
}

/**
 * As `loadRoadNetwork`, without the land: the graph alone, all in shared memory, for a network in each
 * thread.
 */
export async function loadRoadGraph(options: LoadOptions): Promise<RoadGraph> {
  const { graph, hierarchy } = await readOrBuild(options);
  return completeGraph(graph, hierarchy);
}

const packsOf = ({ pbfFile, landFile, country, more = [] }: LoadOptions): RoadPack[] => [
  { pbfFile, landFile, country },
  ...more,
];

async function readOrBuild(options: LoadOptions): Promise<StoredRoads> {
  const { cacheFolder, onProgress } = options;
  const packs = packsOf(options);
  onProgress?.('reading cache');
  const source = (await Promise.all(packs.map(sourceOf))).join('+');
  const name = packs.length === 1 ? source : createHash('sha256').update(source).digest('hex');
  const cacheFile = join(
    cacheFolder,
    `${basename(options.pbfFile).replace(/(\.osm)?\.pbf$/, '')}-${name.slice(0, 12)}.roads`,
  );
  const cached = await readCache(cacheFile, source);
  if (cached) return cached;
  onProgress?.('reading extract');
  const roads: PackRoads[] = [];
  for (const { pbfFile, country = '' } of packs)
    roads.push({ data: await readRoadData(pbfFile), drivesOnLeft: drivesOnLeft(country) });
  onProgress?.('building graph');
  const graph = buildSharedGraph(roads);
  onProgress?.('contracting', 0);
  const hierarchy = contract(graph, (share) => onProgress?.('contracting', share));
  onProgress?.('writing cache');
  await writeCache(cacheFile, { graph, hierarchy }, source);
  return { graph, hierarchy };
}

/** Identifies all of a pack that its graph depends on. */
async function sourceOf({ pbfFile, country = '' }: RoadPack): Promise<string> {
  return `${await checksum(pbfFile)}${drivesOnLeft(country) ? '-left' : ''}`;
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
  features?: LandGeometry[];
}

const isGeometry = (value: unknown): value is LandGeometry =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';

async function readLand(file: string): Promise<LandPolygons> {
  const land: unknown = JSON.parse(await readFile(file, 'utf8'));
  const polygons = isGeometry(land) ? polygonsOf(land) : [];
  if (polygons.length === 0) throw new Error(`${file}: expected a Polygon or MultiPolygon, found none`);
  return polygons;
}

/** The polygons of a geometry, a feature or a collection; points in it are place names and are skipped. */
function polygonsOf({ type, coordinates, geometry, features }: LandGeometry): LandPolygons {
  if (features) return features.flatMap(polygonsOf);
  if (geometry) return polygonsOf(geometry);
  if (type === 'MultiPolygon') return coordinates as LandPolygons;
  return type === 'Polygon' ? [coordinates as LandPolygons[number]] : [];
}
