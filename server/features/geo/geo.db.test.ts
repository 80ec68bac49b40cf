import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '#contract/geo/endpoints.ts';
import { isAirport } from '#contract/geo/airports.ts';
import { places } from '../../schema/geo.ts';
import { requests } from '../../schema/rides.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { positionOfWanted, writtenQueries } from '../../testing/place-queries.ts';
import { loadRegion } from './region.ts';
import { openGeo, roadsOf } from './state.ts';
import { importPlaces } from './import-places.ts';
import { regionInfo, locatePlace, walkLine } from './region-roads.ts';
import { searchPlaces } from './search-places.ts';
import { approximatePlace, areaOf } from './approximate-place.ts';
import { timeZoneAt } from './rules/local-hour.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await importPlaces(app.platform);
});
afterAll(() => app.close());

const find = async (text: string, near: { lon?: number; lat?: number } = {}) =>
  (await app.ok(null, calls.searchPlaces, { text, ...near })).places;
const first = async (text: string) => (await find(text))[0];

describe('the import', () => {
  test('takes every place of the pack and the airports of the world, once', async () => {
    const before = await app.platform.db.$count(places);
    expect(before).toBeGreaterThan(regionInfo(app.platform).placesCount + 5000);
    const said: string[] = [];
    await importPlaces(app.platform, (sentence) => said.push(sentence));
    expect(said).toEqual([]);
    expect(await app.platform.db.$count(places)).toBe(before);
  });

  test('several processes at once import once', async () => {
    const before = await app.platform.db.$count(places);
    await Promise.all([1, 2, 3].map(() => importPlaces(app.platform)));
    expect(await app.platform.db.$count(places)).toBe(before);
  });
});

describe('where a passenger may meet the car', () => {
  const door = { lon: -122.0263, lat: 36.9741 };

  test('on roads within their walk, with the line that leads there', () => {
    const points = roadsOf(app.platform.geo).meetingPoints(door, 600);
    expect(points).toHaveLength(8);
    for (const { lon, lat, walkMetres, streetName } of points) {
      expect(locatePlace(app.platform, { lon, lat }, 'from')).toMatchObject({
        lon,
        lat,
        streetName,
        estimated: false,
      });
      expect(walkMetres).toBeLessThanOrEqual(600);
      expect(walkLine(app.platform, door, { lon, lat })).toMatchObject({ metres: walkMetres });
    }
    expect(roadsOf(app.platform.geo).meetingPoints(door, 0)).toEqual([]);
  });

  test('nowhere but at the door where no region is loaded', async () => {
    const region = await loadRegion({ env: { REGION: '', DATA_DIR: '' } });
    const elsewhere = { ...app.platform, geo: openGeo(app.platform, region) };
    expect(roadsOf(elsewhere.geo).meetingPoints(door, 600)).toEqual([]);
    expect(walkLine(elsewhere, door, { lon: -122.03, lat: 36.97 })).toBeNull();
  });
});

describe('search', () => {
  test.each([
    ['high st', 'street', 'High Street'],
    ['1156 High St', 'address', '1156 High Street'],
    ['1156 high street, Santa Cruz, CA 95064', 'address', '1156 High Street'],
    ['1156 hihg stret', 'address', '1156 High Street'],
    ['701b ocean st', 'address', '701B Ocean Street'],
    ['E Cliff Dr', 'street', 'East Cliff Drive'],
    ['mission street santa cruz ca usa', 'street', 'Mission Street'],
    ['santa', 'town', 'Santa Cruz'],
    ['ucsc', 'place', 'University of California, Santa Cruz (UCSC)'],
    ['cabrillo colege', 'place', 'Cabrillo College'],
    ['boardwalk', 'place', 'Santa Cruz Beach Boardwalk'],
    ['sjc', 'airport', 'Norman Y. Mineta San Jose International Airport'],
    ['san jose airport', 'airport', 'Norman Y. Mineta San Jose International Airport'],
  ])('%j finds the %s %j', async (text, kind, name) => {
    expect(await first(text)).toMatchObject({ kind, name });
  });

  test.each([
    ['95060', 'town', '95060'],
    ['watsonville', 'town', 'Watsonville'],
    ['oakland', 'town', 'Oakland'],
    ['Capitola, CA', 'town', 'Capitola'],
    ['mall', 'place', 'Capitola Mall'],
    ['hospital', 'place', 'Dominican Hospital'],
  ])('%j finds the %s %j, not an airport or a substation', async (text, kind, name) => {
    expect(await first(text)).toMatchObject({ kind, name });
  });

  test('what a person types first is found first: 95 of 100 of the written queries, at the least', async () => {
    const queries = writtenQueries('santa-cruz');
    const missed: string[] = [];
    for (const query of queries)
      if (positionOfWanted(query, await searchPlaces(app.platform, query.text)) !== 1)
        missed.push(query.text);
    expect(queries.length).toBeGreaterThanOrEqual(200);
    expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(queries.length * 0.05);
  });

  test('what is nothing like any place finds nothing, not an airport far away', async () => {
    expect(await find("trader joe's")).toEqual([]);
  });

  test('gives at most ten, no two alike, and nothing where nothing fits', async () => {
    for (const text of ['s', 'st', 'santa cruz', 'university', 'airport']) {
      const found = await find(text);
      expect(found.length).toBeLessThanOrEqual(10);
      expect(new Set(found.map(({ name, detail }) => `${name}, ${detail}`)).size).toBe(found.length);
    }
    for (const text of ['zzzzqqqq', '!!!', '北京大学']) expect(await find(text)).toEqual([]);
  });

  test('takes whatever is typed as words, never as a query', async () => {
    for (const text of ["' | 'a':* & !", '%_\\', ':*', "O'Neill & sons", '1 1 1 1', 'a'.repeat(200)])
      await expect(find(text)).resolves.toBeInstanceOf(Array);
  });

  test('an airport counts as an airport address', async () => {
    const [oakland] = await find('oakland airport');
    expect(oakland?.kind).toBe('airport');
    expect(oakland && isAirport(oakland)).toBe(true);
  });

  test('near and far are seen from where the person is', async () => {
    const aptos = await find('soquel drive', { lon: -121.9, lat: 36.977 });
    expect(aptos[0]?.detail).toBe('Aptos');
    const newYork = await find('international airport', { lon: -73.9, lat: 40.7 });
    expect(newYork[0]?.detail).toMatch(/^(LGA|JFK|EWR)$/);
  });
});

describe('the address at a point', () => {
  test('is the nearest house number, found again by searching for it', async () => {
    const [address] = await find('1156 High Street');
    expect(address).toBeDefined();
    if (address === undefined) return;
    const at = await app.ok(null, calls.reversePlace, { lon: address.lon, lat: address.lat });
    expect(at.kind).toBe('address');
    expect(at.name).toMatch(/^1\d{3} High Street$/);
    expect(at).toMatchObject({ lon: address.lon, lat: address.lat });
  });

  test('is an airport at an airport, the neighbourhood of one beside it', async () => {
    const at = await app.ok(null, calls.reversePlace, { lon: -121.929, lat: 37.363 });
    expect(at).toMatchObject({ kind: 'place', name: 'Norman Y. Mineta San Jose International Airport' });
    const beside = await app.ok(null, calls.reversePlace, { lon: -121.8, lat: 37.25 });
    expect(beside.name).toMatch(/^Near /);
    expect(isAirport(beside)).toBe(false);
  });

  test('is refused at sea and beyond 500 miles', async () => {
    const sea = await app.call(null, calls.reversePlace, { lon: -122.1, lat: 36.9 });
    expect(sea).toMatchObject({
      code: 422,
      reason: 'place.noRoadNear',
      info: 'No road leads there.',
    });
    const far = await app.call(null, calls.reversePlace, { lon: -73.9, lat: 40.7 });
    expect(far).toMatchObject({ code: 422, reason: 'place.tooFar' });
    const wrong = await app.call(null, calls.reversePlace, { lon: 200, lat: 0 });
    expect(wrong).toMatchObject({ code: 422, reason: 'input.invalid' });
  });
});

describe('what others see of a place', () => {
  test('is the street and the town, no number, and about 100 metres', async () => {
    const [exact] = await find('1156 High Street');
    if (exact === undefined) throw new Error('not found');
    expect(approximatePlace(app.platform, exact)).toEqual({
      name: 'High Street',
      detail: 'Santa Cruz',
      lon: Math.round(exact.lon * 1000) / 1000,
      lat: Math.round(exact.lat * 1000) / 1000,
    });
    const named = approximatePlace(app.platform, {
      ...exact,
      name: 'Mia’s place, 1156 High Street',
      detail: 'blue door',
    });
    expect(named).toMatchObject({ name: 'Coolidge Drive', detail: 'Santa Cruz' });
    const airport = await first('sjc');
    expect(airport && approximatePlace(app.platform, airport).name).toContain(
      'San Jose International Airport',
    );
  });

  test.each([
    [{ name: 'Fresno', detail: 'California', lon: -119.77, lat: 36.75 }, 'Fresno'],
    [{ name: 'Near Fresno', detail: 'California', lon: -119.77, lat: 36.75 }, 'Near Fresno'],
    [{ name: '12 Main Street', detail: 'Fresno, California', lon: -119.77, lat: 36.75 }, 'Fresno'],
    [{ name: 'Reno', detail: 'Nevada, United States', lon: -119.81, lat: 39.53 }, 'Reno'],
  ])('beyond the region is the town, never the state: %o', (place, name) => {
    expect(approximatePlace(app.platform, place).name).toBe(name);
    expect(areaOf(app.platform, place).label).toBe(name);
  });

  test('the time zone is the place’s own', () => {
    expect(timeZoneAt(-122.03, 36.97)).toBe('America/Los_Angeles');
    expect(timeZoneAt(-73.9, 40.7)).toBe('America/New_York');
  });
});

describe('shortcuts', () => {
  const home = {
    label: 'home' as const,
    labelText: '',
    name: '1156 High Street',
    detail: 'Santa Cruz',
    lon: -122.0537,
    lat: 36.9772,
  };

  test('are kept, changed and removed by their owner alone', async () => {
    const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
    const made = await app.ok(mia, calls.createAddress, home);
    expect(made).toMatchObject(home);
    const work = { ...home, id: made.id, label: 'labeled' as const, labelText: 'Studio' };
    for (const answer of [
      await app.call(leo, calls.updateAddress, work),
      await app.call(leo, calls.deleteAddress, { id: made.id }),
      await app.call(mia, calls.deleteAddress, { id: randomUUID() }),
    ])
      expect(answer).toMatchObject({ code: 404, reason: 'address.notFound' });
    expect(await app.ok(mia, calls.updateAddress, work)).toEqual(work);
    expect((await app.ok(mia, calls.listAddresses, {})).shortcuts).toEqual([work]);
    expect((await app.ok(leo, calls.listAddresses, {})).shortcuts).toEqual([]);
    await app.ok(mia, calls.deleteAddress, { id: made.id });
    expect((await app.ok(mia, calls.listAddresses, {})).shortcuts).toEqual([]);
  });

  test('lie where a car can go', async () => {
    const mia = await app.person('Mia');
    const sea = await app.call(mia, calls.createAddress, { ...home, lon: -122.1, lat: 36.9 });
    expect(sea).toMatchObject({
      code: 422,
      reason: 'place.noRoadNear',
      data: { fields: { name: expect.any(String) } },
    });
    expect(await app.call(null, calls.createAddress, home)).toMatchObject({ code: 400 });
  });

  test('are at most fifty, however fast they are added', async () => {
    const mia = await app.person('Mia');
    const answers = await Promise.all(
      Array.from({ length: 53 }, () => app.call(mia, calls.createAddress, home)),
    );
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(50);
    expect(answers.filter(({ reason }) => reason === 'address.tooMany')).toHaveLength(3);
  });
});

test('places used lately are listed once, the newest first', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const order = async (minute: number, from: string, to: string) => {
    const at = new Date(Date.UTC(2026, 10, 1, 8, minute));
    await app.platform.db.insert(requests).values({
      id: randomUUID(),
      orderNumber: `SW-${randomUUID().slice(0, 6)}`,
      fromName: from,
      fromDetail: 'Santa Cruz',
      fromLon: -122,
      fromLat: 37,
      toName: to,
      toDetail: 'Santa Cruz',
      toLon: -122.03,
      toLat: 36.97,
      timeZone: 'America/Los_Angeles',
      estimated: false,
      driveMs: 1,
      driveMetres: 1,
      seats: 1,
      visibility: 'all users',
      contactWith: 'phone',
      createdAt: at,
      state: 'cancel',
      passengerId: mia.id,
      earliestAt: at,
      latestAt: at,
      arriveBy: at,
      walkMetres: 0,
    });
  };
  await order(1, 'Old', 'Older');
  await order(2, 'Home', 'Work');
  await order(3, 'Work', 'Home');
  const { recent } = await app.ok(mia, calls.listAddresses, {});
  expect(recent.map(({ name }) => name)).toEqual(['Home', 'Work', 'Older', 'Old']);
  expect((await app.ok(leo, calls.listAddresses, {})).recent).toEqual([]);
});
