import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { config } from '#contract/app/endpoints.ts';
import { reversePlace, searchPlaces } from '#contract/geo/endpoints.ts';
import { createOrder, match, quote } from '#contract/rides/endpoints.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { Place, RegionDescription } from '#roads/places/places.ts';
import { gridTown } from '#roads/testing/grid-town.ts';
import { writePbf } from '#roads/build/write-pbf.ts';
import { rides } from '../../schema/rides.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { publishRide, spots, type RideInput, type RequestInput } from '../../testing/orders.ts';
import { loadRegion } from './region.ts';
import { importPlaces } from './import-places.ts';
import { approximatePlace } from './approximate-place.ts';
import { timeZoneAt } from './rules/local-hour.ts';

const shipped = path.join(import.meta.dirname, '..', '..', '..', 'regions', 'santa-cruz');
const startsAt = new Date('2026-11-23T17:00:00Z');
/** Within 500 miles of Santa Cruz, and beyond. */
const millbrook = { southWest: { lon: -121.65, lat: 36.67 }, name: 'millbrook', title: 'Millbrook', town: 1 };
const ilhavo = { southWest: { lon: -8.66, lat: 40.6 }, name: 'ilhavo', title: 'Ílhavo', town: 2 };

let app: TestApp;
let folder: string;
const said: string[] = [];

/** A pack of one small town with one street that both towns have, and one square of its own. */
async function writePack(town: typeof millbrook): Promise<void> {
  const pack = path.join(folder, 'packs', town.name);
  await fs.mkdir(pack, { recursive: true });
  const data = gridTown({ southWest: town.southWest, firstId: town.town * 1e12 });
  await writePbf(path.join(pack, 'roads.osm.pbf'), [...data.nodes, ...data.ways], data.bounds ?? undefined);
  await fs.writeFile(path.join(pack, 'map.pmtiles'), town.title);
  const at = middleOf(town);
  const places: Place[] = [
    { id: 'street-street-2', kind: 'street', name: 'Street 2', town: town.title, ...at, importance: 0.4 },
    { id: `osm-n${town.town}`, kind: 'town', name: town.title, ...at, importance: 0.6 },
  ];
  await fs.writeFile(
    path.join(pack, 'places.ndjson.gz'),
    gzipSync(places.map((place) => `${JSON.stringify(place)}\n`).join('')),
  );
  const info: RegionDescription = {
    name: town.name,
    title: town.title,
    timeZone: 'UTC',
    country: 'US',
    bounds: data.bounds!,
    center: [at.lon, at.lat],
    attribution: '© OpenStreetMap contributors',
    placesVersion: '1',
    placesCount: places.length,
    hasMap: true,
    hasLand: false,
  };
  await fs.writeFile(path.join(pack, 'region.json'), JSON.stringify(info));
}

const middleOf = ({ southWest: { lon, lat } }: typeof millbrook): LonLat => ({
  lon: lon + 0.005,
  lat: lat + 0.004,
});
const placeIn = (town: typeof millbrook) => ({ name: 'Street 2', detail: town.title, ...middleOf(town) });

const load = (REGION: string) =>
  loadRegion({
    env: { REGION, DATA_DIR: path.join(folder, 'data') },
    say: (sentence) => said.push(sentence),
    packsFolder: path.join(folder, 'packs'),
  });

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sameway-packs-'));
  await fs.mkdir(path.join(folder, 'packs'));
  await fs.symlink(shipped, path.join(folder, 'packs', 'santa-cruz'));
  await writePack(millbrook);
  await writePack(ilhavo);
  const region = await load('santa-cruz, millbrook,ilhavo,millbrook');
  app = await openTestApp({ startsAt, region });
  await importPlaces(app.platform);
});
afterAll(async () => {
  await app.close();
  await fs.rm(folder, { recursive: true });
});

describe('three packs in one server', () => {
  test('are named at the start, with what no road joins', async () => {
    const title = 'Santa Cruz, California · Millbrook · Ílhavo';
    expect(said).toEqual([
      'Building the road network (once per region) …',
      expect.stringMatching(
        new RegExp(`^Region ${title}: 1\\d,\\d{3} road junctions, built in [\\d.]+ s\\.$`),
      ),
      'No loaded road joins Santa Cruz, California and Millbrook: drives between them are estimated.',
      expect.stringMatching(/^Santa Cruz, California and Ílhavo: no drive leads from one to the other/),
      expect.stringMatching(/^Millbrook and Ílhavo: no drive leads from one to the other/),
    ]);
    said.length = 0;
    await load('santa-cruz,millbrook,ilhavo');
    expect(said[0]).toMatch(/road junctions, from the cache\.$/);
    await expect(load('santa-cruz,nowhere')).rejects.toThrow(/There is no region "nowhere"/);
  });

  test('are all known to the app, the first being where people look', async () => {
    const { region } = await app.ok(null, config, {});
    expect(region).toMatchObject({
      name: 'santa-cruz,millbrook,ilhavo',
      timeZone: 'America/Los_Angeles',
      packs: [
        { name: 'santa-cruz', coast: 'land' },
        { name: 'millbrook', title: 'Millbrook', coast: null },
        { name: 'ilhavo', coast: null },
      ],
    });
    expect(region.center[0]).toBeCloseTo(-122, 0);
    for (const name of ['santa-cruz', 'millbrook', 'ilhavo'])
      expect((await app.http.inject(`/region/${name}/map.pmtiles`)).statusCode).toBe(200);
    expect((await app.http.inject('/region/porto/map.pmtiles')).statusCode).toBe(404);
  });

  test('are searched together, each street kept though its id is the same', async () => {
    const find = async (text: string) => (await app.ok(null, searchPlaces, { text })).places;
    expect((await find('high street'))[0]).toMatchObject({ name: 'High Street', detail: 'Santa Cruz' });
    expect((await find('millbrook'))[0]).toMatchObject({ kind: 'town', name: 'Millbrook' });
    expect((await find('ilhavo'))[0]).toMatchObject({ kind: 'town', name: 'Ílhavo' });
    for (const town of ['Millbrook', 'Ílhavo'])
      expect((await find(`street 2, ${town}`))[0]).toMatchObject({ name: 'Street 2', detail: town });
  });

  test('name their streets, towns and clocks', async () => {
    const at = middleOf(ilhavo);
    expect(await app.ok(null, reversePlace, at)).toMatchObject({ name: 'Street 2', detail: 'Ílhavo' });
    expect(approximatePlace(app.platform, placeIn(millbrook))).toMatchObject({
      name: 'Street 2',
      detail: 'Millbrook',
    });
    expect(timeZoneAt(at.lon, at.lat)).toBe('Europe/Lisbon');
  });
});

describe('orders in three packs', () => {
  test('a ride between two of them is estimated, or refused in words where they are too far apart', async () => {
    const driver = await app.person('Driver');
    const order: RideInput = {
      role: 'driver',
      from: spots.downtown,
      to: placeIn(millbrook),
      departsAt: new Date(startsAt.getTime() + 86_400_000).toISOString(),
      seats: 3,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
    };
    await app.ok(driver, createOrder, { order });
    const [ride] = (await app.platform.db.select().from(rides)).filter((row) => row.driverId === driver.id);
    expect(ride).toMatchObject({ estimated: true });
    expect(ride!.driveMetres).toBeGreaterThan(40_000);

    const far = { ...order, to: placeIn(ilhavo) };
    expect(await app.call(await app.person('Dreamer'), createOrder, { order: far })).toMatchObject({
      code: 422,
      reason: 'place.noRoute',
      info: 'You can’t drive between these two places.',
      data: { fields: { 'order.to': expect.any(String) } },
    });
    expect(
      await app.call(null, quote, {
        fromLon: spots.downtown.lon,
        fromLat: spots.downtown.lat,
        toLon: middleOf(ilhavo).lon,
        toLat: middleOf(ilhavo).lat,
      }),
    ).toMatchObject({ code: 422, reason: 'place.noRoute' });
    expect(await app.platform.db.$count(rides)).toBe(1);
  });

  test('a wish in one finds no ride in another, without a failure', async () => {
    const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
    await publishRide(app, driver, {});
    const at = middleOf(ilhavo);
    const order: RequestInput = {
      role: 'passenger',
      from: { name: 'Street 2', detail: 'Ílhavo', ...at },
      to: { name: 'Avenue 2', detail: 'Ílhavo', lon: at.lon - 0.002, lat: at.lat + 0.003 },
      earliestAt: new Date(startsAt.getTime() + 80_000_000).toISOString(),
      latestAt: new Date(startsAt.getTime() + 90_000_000).toISOString(),
      seats: 1,
      offerCents: null,
    };
    const { id } = await app.ok(passenger, createOrder, { order });
    const found = await app.ok(passenger, match, { id });
    expect(found.candidates).toEqual([]);
  });
});

test('no region at all runs on estimates', async () => {
  const none = await load('');
  expect(none.packs).toEqual([]);
  expect(none.info.title).toBe('World');
});
