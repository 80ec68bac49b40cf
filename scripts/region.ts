/**
 * Builds a region pack from an OpenStreetMap extract: roads, places and addresses, and the map.
 *
 *   npm run region -- --pbf FILE-OR-URL [--name santa-cruz] [--title "Santa Cruz, California"] [--country US]
 *       [--bounds WEST,SOUTH,EAST,NORTH] [--tiger FILE.mbtiles] [--tiles FILE.pmtiles]
 *       [--land FILE.geojson] [--places FILE.json]
 *       [--around FILE] [--around-bounds WEST,SOUTH,EAST,NORTH]
 *       [--out regions]
 *
 * `--around` is a wider extract that holds the region: from it the map shows ground, towns and main roads
 * beyond the region, as far as a view reaches.
 *
 * The pack is built in a temporary folder and moved when it is whole: a failure leaves the former pack as it
 * was.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import findTimeZone from '@photostructure/tz-lookup';
import { z } from 'zod';
import type { Bounds } from '../roads/graph/geometry.ts';
import type { Place, RegionDescription } from '../roads/places/places.ts';
import { landGeoJson, seaShape } from './region/coast/coast-shapes.ts';
import { readCoast } from './region/coast/read-coast.ts';
import { mapBoundsOf } from './region/map-bounds.ts';
import { countRoads, readExtractFacts } from './region/extract-facts.ts';
import { fetchFile } from './region/fetch-file.ts';
import { countryAt, nameOfFile, titleOfName } from './region/names.ts';
import { TOWN_IMPORTANCE } from './region/osm-places.ts';
import { gatherPlaces } from './region/pack.ts';
import { writeRoadExtract } from './region/road-extract.ts';
import { buildTiles } from './region/tiles/build-tiles.ts';
import { handPlace } from './region/towns.ts';

const OPTIONS = {
  pbf: { type: 'string' },
  name: { type: 'string' },
  title: { type: 'string' },
  country: { type: 'string' },
  bounds: { type: 'string' },
  tiger: { type: 'string' },
  tiles: { type: 'string' },
  land: { type: 'string' },
  places: { type: 'string' },
  around: { type: 'string' },
  'around-bounds': { type: 'string' },
  out: { type: 'string', default: 'regions' },
} as const;

type Options = ReturnType<typeof readOptions>;

function readOptions() {
  const { values } = parseArgs({ options: OPTIONS });
  const { pbf } = values;
  if (!pbf) throw new Error('--pbf FILE-OR-URL is missing: an OpenStreetMap extract (.osm.pbf)');
  const name = values.name ?? nameOfFile(pbf);
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error('--name is missing or not of the form santa-cruz');
  if (values.country !== undefined && !/^[A-Z]{2}$/.test(values.country))
    throw new Error('--country is not of the form US');
  return {
    ...values,
    pbf,
    name,
    title: values.title ?? titleOfName(name),
    bounds: readBounds('bounds', values.bounds),
    aroundBounds: readBounds('around-bounds', values['around-bounds']),
  };
}

/** The rectangle that an extract was cut to, where its file does not say so itself. */
function readBounds(option: 'bounds' | 'around-bounds', text: string | undefined): Bounds | undefined {
  if (text === undefined) return undefined;
  const [west = NaN, south = NaN, east = NaN, north = NaN, ...more] = text.split(',').map(Number);
  const isSound = more.length === 0 && west < east && south < north && Math.abs(west) <= 180 && north <= 90;
  if (!isSound) throw new Error(`--${option} is not of the form WEST,SOUTH,EAST,NORTH in degrees`);
  return [west, south, east, north];
}

async function buildPack(options: Options): Promise<void> {
  const isUrl = /^https?:\/\//.test(options.pbf);
  for (const file of [
    isUrl ? undefined : options.pbf,
    options.tiger,
    options.tiles,
    options.land,
    options.places,
    options.around,
  ]) {
    if (file && !(await stat(file).catch(() => null))?.isFile()) throw new Error(`${file}: no such file`);
  }
  await mkdir(options.out, { recursive: true });
  const draft = await mkdtemp(join(options.out, `.${options.name}-`));
  await chmod(draft, 0o755);
  const leave = () => {
    rmSync(draft, { recursive: true, force: true });
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, leave);
  try {
    const fetched = join(draft, 'whole.osm.pbf');
    if (isUrl) await fetchFile(options.pbf, fetched, say);
    const counts = await fillPack(draft, isUrl ? fetched : options.pbf, options);
    await rm(fetched, { force: true });
    await replaceFolder(draft, join(options.out, options.name));
    process.stdout.write(`${join(options.out, options.name)}: ${JSON.stringify(counts)}\n`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Progress goes to the error stream, with the seconds since the start: the result alone is output. */
function say(sentence: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${sentence}\n`);
}

/** @param pbf the extract; the pack gets only its roads and paths. */
async function fillPack(folder: string, pbf: string, options: Options): Promise<Record<string, number>> {
  const { tiger, tiles, land, places: handFile } = options;
  say('Reading the extract …');
  const { nodes, ways, ...facts } = await readExtractFacts(pbf, options.pbf);
  const bounds = options.bounds ?? facts.bounds;
  const handPlaces = handFile ? z.array(handPlace).parse(JSON.parse(await readFile(handFile, 'utf8'))) : [];
  say(`${nodes} nodes, ${ways} ways. Gathering places and addresses …`);
  const places = await gatherPlaces({ pbfFile: pbf, tigerFile: tiger, handPlaces });
  const lines = places.map((place) => `${JSON.stringify(place)}\n`);
  const checksum = createHash('sha256');
  for (const line of lines) checksum.update(line);
  const center = middleOf(places, bounds);
  const timeZone = findTimeZone(center[1], center[0]);
  const country = options.country ?? (await countryAt(center, timeZone));
  const drawn = await drawnExtract(options, { pbf, bounds });
  const coast = land ? 'none' : await readCoast(drawn.pbfFile, drawn.extract);
  if (coast === 'broken')
    say('The coast in the extract neither closes nor reaches its border: the map is drawn without the sea.');
  const surfaces = typeof coast === 'string' ? null : coast;
  say(`${places.length} places. Building the roads …`);
  const roadFile = join(folder, 'roads.osm.pbf');
  await writeRoadExtract(pbf, roadFile);
  const roads = await countRoads(roadFile, options.pbf, country);
  const description: RegionDescription = {
    name: options.name,
    title: options.title,
    timeZone,
    country,
    bounds,
    center,
    attribution: '© OpenStreetMap contributors',
    placesVersion: checksum.digest('hex').slice(0, 16),
    placesCount: places.length,
    hasMap: true,
    hasLand: land !== undefined || surfaces !== null,
    ...(surfaces !== null && tiles === undefined && { hasSea: true }),
    ...(drawn.bounds !== bounds && tiles === undefined && { mapBounds: drawn.bounds }),
  };
  const map = join(folder, 'map.pmtiles');
  let mapTiles: number | undefined;
  if (tiles) {
    await copyContent(tiles, map);
  } else {
    say(`${roads} stretches of road. Drawing the map …`);
    mapTiles = await buildTiles({
      ...drawn,
      file: map,
      title: options.title,
      region: bounds,
      center,
      ...(surfaces !== null && { sea: seaShape(surfaces.sea) }),
      onProgress: sayShare(),
    });
  }
  if (land) await copyContent(land, join(folder, 'land.geojson'));
  else if (surfaces)
    await writeFile(join(folder, 'land.geojson'), JSON.stringify(landGeoJson(surfaces.land)));
  if (handFile) await copyContent(handFile, join(folder, 'hand-places.json'));
  await writeFile(join(folder, 'places.ndjson.gz'), gzipSync(lines.join(''), { level: 9 }));
  await writeFile(join(folder, 'LICENSE.md'), licenseText(options, surfaces !== null));
  await writeFile(join(folder, 'region.json'), `${JSON.stringify(description, null, 2)}\n`);
  say('Done.');
  return { roads, ...(mapTiles !== undefined && { mapTiles }), ...countKinds(places) };
}

/** The extract that the map is drawn from, the rectangle that it was cut to, and what the map shows of it. */
async function drawnExtract(
  { around, aroundBounds }: Options,
  { pbf, bounds }: { pbf: string; bounds: Bounds },
): Promise<{ pbfFile: string; extract: Bounds; bounds: Bounds }> {
  if (around === undefined) return { pbfFile: pbf, extract: bounds, bounds };
  const extract = aroundBounds ?? (await readExtractFacts(around, around)).bounds;
  return { pbfFile: around, extract, bounds: mapBoundsOf(bounds, extract, around) };
}

/** Says how far the map is, at most every two seconds. */
function sayShare(): (share: number) => void {
  let saidAt = performance.now();
  return (share) => {
    if (performance.now() - saidAt < 2_000) return;
    saidAt = performance.now();
    say(`Drawing the map: ${Math.floor(share * 100)} %`);
  };
}

/**
 * The first view of the map: the most important town; in a region of villages, or without any, the middle of
 * all that was found, half of it on either side.
 */
function middleOf(places: readonly Place[], bounds: Bounds): [number, number] {
  const towns = places.filter(
    ({ kind, importance }) => kind === 'town' && importance >= TOWN_IMPORTANCE.town,
  );
  const [first] = towns.toSorted((a, b) => b.importance - a.importance);
  if (first !== undefined) return [round4(first.lon), round4(first.lat)];
  const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
  return [
    round4(median(places.map(({ lon }) => lon)) ?? (bounds[0] + bounds[2]) / 2),
    round4(median(places.map(({ lat }) => lat)) ?? (bounds[1] + bounds[3]) / 2),
  ];
}

/** Copies a file without its permissions: sources are often read-only, the pack is not. */
async function copyContent(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o644);
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

function licenseText({ title, tiger, land, places }: Options, hasCoast: boolean): string {
  const osmFiles = [
    'roads.osm.pbf',
    'map.pmtiles',
    ...(hasCoast ? ['land.geojson'] : []),
    'the places and streets in places.ndjson.gz',
  ];
  return `# Licenses of the data of ${title}

- ${osmFiles.join(', ')}: © OpenStreetMap contributors, Open Database License 1.0
  (https://opendatacommons.org/licenses/odbl/1-0/). Wherever they are shown, "© OpenStreetMap contributors" must be too.
${tiger ? '- House number ranges in places.ndjson.gz: US Census Bureau, TIGER/Line files, public domain.\n' : ''}${land ? '- land.geojson: a coarse outline of dry land, drawn for this project.\n' : ''}${places ? '- hand-places.json: towns and landmarks that the extract lacks, written for this project.\n' : ''}`;
}

function round4(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4;
}

try {
  await buildPack(readOptions());
} catch (error) {
  process.stderr.write(`region: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
