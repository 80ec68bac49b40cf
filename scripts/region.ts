/**
 * Builds a region pack: roads, map, land, places.
 *
 *   npm run region -- --pbf FILE-OR-URL --name santa-cruz --title "Santa Cruz, California" [--country US]
 *       [--tiger FILE.mbtiles] [--tiles FILE.pmtiles] [--land FILE.geojson] [--places FILE.json] [--out regions]
 *
 * The pack is built beside its place and moved there when it is whole: a failure leaves the former pack as it was.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import findTimeZone from '@photostructure/tz-lookup';
import type { Bounds } from '../roads/geometry.ts';
import { readOsm } from '../roads/osm.ts';
import type { Place, RegionDescription } from '../roads/places.ts';
import { gatherPlaces } from './region/pack.ts';
import type { HandPlace } from './region/towns.ts';

const OPTIONS = {
  pbf: { type: 'string' },
  name: { type: 'string' },
  title: { type: 'string' },
  country: { type: 'string', default: 'US' },
  tiger: { type: 'string' },
  tiles: { type: 'string' },
  land: { type: 'string' },
  places: { type: 'string' },
  out: { type: 'string', default: 'regions' },
} as const;

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  const { pbf, name } = values;
  if (!pbf) throw new Error('--pbf FILE-OR-URL is missing: an OpenStreetMap extract (.osm.pbf)');
  if (!name || !/^[a-z0-9-]+$/.test(name)) throw new Error('--name is missing or not of the form santa-cruz');
  return { ...values, pbf, name, title: values.title ?? name };
}

async function buildPack(options: Options): Promise<void> {
  const isUrl = /^https?:\/\//.test(options.pbf);
  for (const file of [
    isUrl ? undefined : options.pbf,
    options.tiger,
    options.tiles,
    options.land,
    options.places,
  ]) {
    if (file && !(await stat(file).catch(() => null))?.isFile()) throw new Error(`${file}: no such file`);
  }
  await mkdir(options.out, { recursive: true });
  const draft = await mkdtemp(join(options.out, `.${options.name}-`));
  await chmod(draft, 0o755);
  try {
    if (isUrl) await download(options.pbf, join(draft, 'roads.osm.pbf'));
    else await copyContent(options.pbf, join(draft, 'roads.osm.pbf'));
    const counts = await fillPack(draft, options);
    await replaceFolder(draft, join(options.out, options.name));
    process.stdout.write(`${join(options.out, options.name)}: ${JSON.stringify(counts)}\n`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function fillPack(folder: string, options: Options): Promise<Record<string, number>> {
  const { tiger, tiles, land, places: handFile } = options;
  const pbf = join(folder, 'roads.osm.pbf');
  const handPlaces = handFile ? (JSON.parse(await readFile(handFile, 'utf8')) as HandPlace[]) : [];
  const places = await gatherPlaces({ pbfFile: pbf, tigerFile: tiger, handPlaces });
  const lines = places.map((place) => `${JSON.stringify(place)}\n`).join('');
  const bounds = await boundsOf(pbf);
  const center = middleOf(places, bounds);
  const description: RegionDescription = {
    name: options.name,
    title: options.title,
    timeZone: findTimeZone(center[1], center[0]),
    country: options.country,
    bounds,
    center,
    attribution: '© OpenStreetMap contributors',
    placesVersion: createHash('sha256').update(lines).digest('hex').slice(0, 16),
    placesCount: places.length,
    hasMap: tiles !== undefined,
    hasLand: land !== undefined,
  };
  if (tiles) await copyContent(tiles, join(folder, 'map.pmtiles'));
  if (land) await copyContent(land, join(folder, 'land.geojson'));
  if (handFile) await copyContent(handFile, join(folder, 'hand-places.json'));
  await writeFile(join(folder, 'places.ndjson.gz'), gzipSync(lines, { level: 9 }));
  await writeFile(join(folder, 'LICENSE.md'), licenceText(options));
  await writeFile(join(folder, 'region.json'), `${JSON.stringify(description, null, 2)}\n`);
  return countKinds(places);
}

/** Where people look first: the most important town, or the middle of a region without one. */
function middleOf(places: readonly Place[], bounds: Bounds): [number, number] {
  const towns = places.filter((place) => place.kind === 'town');
  const [first] = towns.toSorted((a, b) => b.importance - a.importance);
  if (first !== undefined) return [round4(first.lon), round4(first.lat)];
  return [round4((bounds[0] + bounds[2]) / 2), round4((bounds[1] + bounds[3]) / 2)];
}

/** Copies a file without its permissions: sources are often read-only, the pack is not. */
async function copyContent(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from));
}

async function download(url: string, file: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url}: answered ${response.status}`);
  await writeFile(file, response.body);
}

/** The rectangle in the extract's header, else the one around its nodes. */
async function boundsOf(pbfFile: string): Promise<Bounds> {
  let stated: Bounds | null = null;
  const around: Bounds = [180, 90, -180, -90];
  for await (const element of readOsm(pbfFile, (bounds) => (stated = bounds))) {
    if (stated || element.type !== 'node') break;
    around[0] = Math.min(around[0], element.lon);
    around[1] = Math.min(around[1], element.lat);
    around[2] = Math.max(around[2], element.lon);
    around[3] = Math.max(around[3], element.lat);
  }
  const found = stated ?? around;
  return [round7(found[0]), round7(found[1]), round7(found[2]), round7(found[3])];
}

async function replaceFolder(draft: string, target: string): Promise<void> {
  const former = `${draft}-former`;
  const existed = await rename(target, former).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await rename(draft, target);
  } catch (error) {
    if (existed) await rename(former, target);
    throw error;
  }
  await rm(former, { recursive: true, force: true });
}

function countKinds(places: Place[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of places) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function licenceText({ title, tiger, tiles, land, places }: Options): string {
  const osmFiles = [
    'roads.osm.pbf',
    ...(tiles ? ['map.pmtiles'] : []),
    'the places and streets in places.ndjson.gz',
  ];
  return `# Licences of the data of ${title}

- ${osmFiles.join(', ')}: © OpenStreetMap contributors, Open Database License 1.0
  (https://opendatacommons.org/licenses/odbl/1-0/). Wherever they are shown, "© OpenStreetMap contributors" must be too.
${tiger ? '- House number ranges in places.ndjson.gz: US Census Bureau, TIGER/Line files, public domain.\n' : ''}${land ? '- land.geojson: a coarse outline of dry land, drawn for this project.\n' : ''}${places ? '- hand-places.json: towns and landmarks that the extract lacks, written for this project.\n' : ''}`;
}

function round4(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4;
}

function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}

try {
  await buildPack(readOptions());
} catch (error) {
  process.stderr.write(`region: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
