import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Flatbush from 'flatbush';
import { createEstimateNetwork } from '#roads/estimate.ts';
import type { LonLat } from '#roads/geometry.ts';
import { loadRoads } from '#roads/load.ts';
import type { RoadNetwork } from '#roads/network.ts';
import { readPlaces, type RegionDescription } from '#roads/places.ts';
import { loadWalkNetwork } from '#roads/walk-load.ts';
import type { WalkNetwork } from '#roads/walk-network.ts';
import type { Env } from '../../base/env.ts';

/** The area whose roads, places and map are loaded. */
export interface LoadedRegion {
  info: RegionDescription;
  network: RoadNetwork;
  /** Where people walk to meet a car; null where no region is loaded. */
  walks: WalkNetwork | null;
  /** The town that addresses around a point belong to; empty where the region knows none. */
  townAt(at: LonLat): string;
  /** The names of the region's streets. */
  streets: ReadonlySet<string>;
  /** The region pack's folder; null where no region is loaded. */
  folder: string | null;
}

const packsFolder = path.join(import.meta.dirname, '..', '..', '..', 'regions');

/** Addresses farther away than this say nothing about a point. */
const townReachDegrees = 0.03;

const wholeWorld: RegionDescription = {
  name: '',
  title: 'World',
  timeZone: 'UTC',
  country: '',
  bounds: [-180, -85, 180, 85],
  center: [0, 20],
  attribution: '',
  placesVersion: '',
  placesCount: 0,
  hasMap: false,
  hasLand: false,
};

/**
 * Loads the region that `REGION` names: its roads from the cache in `DATA_DIR/regions`, built there when missing.
 * An empty `REGION` loads none; all travel times are then estimates.
 * @param say told what is being done, in a short sentence.
 * @throws Error when the pack is missing or damaged.
 */
export async function loadRegion({
  env,
  say = () => {},
}: {
  env: Pick<Env, 'REGION' | 'DATA_DIR'>;
  say?: (sentence: string) => void;
}): Promise<LoadedRegion> {
  if (env.REGION === '')
    return {
      info: wholeWorld,
      network: createEstimateNetwork(),
      walks: null,
      townAt: () => '',
      streets: new Set(),
      folder: null,
    };
  const folder = path.join(packsFolder, env.REGION);
  const info = await readDescription(folder, env.REGION);
  const [{ network, walks }, { townAt, streets }] = await Promise.all([
    loadWays(folder, info, env.DATA_DIR, say),
    readAreas(folder),
  ]);
  return { info, network, walks, townAt, streets, folder };
}

/** The roads, and where people walk beside them. */
async function loadWays(
  folder: string,
  { country, hasLand }: RegionDescription,
  dataFolder: string,
  say: (sentence: string) => void,
): Promise<Pick<LoadedRegion, 'network' | 'walks'>> {
  const pbfFile = path.join(folder, 'roads.osm.pbf');
  const cacheFolder = path.join(dataFolder, 'regions');
  const { network, graph } = await loadRoads({
    pbfFile,
    cacheFolder,
    country,
    ...(hasLand ? { landFile: path.join(folder, 'land.geojson') } : {}),
    onProgress(step) {
      if (step === 'building graph') say('Building the road network (once per region) …');
    },
  });
  const walks = await loadWalkNetwork({ pbfFiles: [pbfFile], roads: graph, cacheFolder });
  return { network, walks };
}

async function readDescription(folder: string, name: string): Promise<RegionDescription> {
  try {
    return JSON.parse(await readFile(path.join(folder, 'region.json'), 'utf8')) as RegionDescription;
  } catch (error) {
    throw new Error(
      `There is no region "${name}" in ${packsFolder}. Build it with "npm run region", or set REGION to another one.`,
      { cause: error },
    );
  }
}

async function readAreas(folder: string): Promise<Pick<LoadedRegion, 'townAt' | 'streets'>> {
  const points: { lon: number; lat: number; town: string }[] = [];
  const streets = new Set<string>();
  for await (const { kind, name, lon, lat, town } of readPlaces(path.join(folder, 'places.ndjson.gz'))) {
    if (kind === 'street') streets.add(name);
    if (town !== undefined && town !== '') points.push({ lon, lat, town });
  }
  if (points.length === 0) return { townAt: () => '', streets };
  const index = new Flatbush(points.length);
  for (const { lon, lat } of points) index.add(lon, lat, lon, lat);
  index.finish();
  const townAt = ({ lon, lat }: LonLat): string => {
    const [nearest] = index.neighbors(lon, lat, 1, townReachDegrees);
    return nearest === undefined ? '' : (points[nearest]?.town ?? '');
  };
  return { townAt, streets };
}
