import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { isAirport } from '#contract/geo/airports.ts';
import type { OsmWay } from '#roads/build/osm.ts';
import { greatCircleMetres } from '#roads/graph/geometry.ts';
import { cutExtract } from '#roads/testing/cut-extract.ts';
import { loadRegion } from '../features/geo/region.ts';
import { readEnv } from '../platform/env.ts';
import { users } from '../schema/identity.ts';
import { bookings, rides } from '../schema/rides.ts';
import { testCacheFolder } from '../testing/cache-folder.ts';
import { openTestApp } from '../testing/test-app.ts';

import { daysAround } from './days.ts';
import { driveTimes } from './drive-times.ts';
import { placeRoles } from './demo-data.ts';
import { demoPlaces, seedDemoCommunity } from './seed.ts';
import { createDice } from './seeded-random.ts';
import { Diary } from './week-plan.ts';
import { openRides, planWeek } from './week.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sameway-state-college-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('the community lives in State College as it does in Santa Cruz, from that region’s own data', async () => {
  const region = await loadRegion({
    env: readEnv({ NODE_ENV: 'test', REGION: 'state-college', DATA_DIR: testCacheFolder }),
  });
  const app = await openTestApp({
    startsAt: new Date('2026-11-12T20:00:00Z'),
    env: { DEMO: '1', DATA_DIR: dataDir, REGION: 'state-college' },
    region,
  });
  const places = await demoPlaces(app);
  expect(Object.keys(places).toSorted()).toEqual(Object.keys(placeRoles).toSorted());
  // The same data gives the same places, and no place plays two parts.
  expect(await demoPlaces(app)).toEqual(places);
  const points = Object.values(places).map(({ lon, lat }) => `${lon} ${lat}`);
  expect(new Set(points).size).toBe(points.length);
  expect(places.library.name).toMatch(/Librar/);
  await seedDemoCommunity({ app, say: () => {} });
  await app.deliver();
  const { db } = app.platform;
  expect(await db.$count(users)).toBeGreaterThanOrEqual(40);
  expect(await db.$count(rides, and(eq(rides.state, 'matching'), isNull(rides.recurringId)))).toBe(openRides);
  expect(await db.$count(bookings, eq(bookings.state, 'joined'))).toBeGreaterThanOrEqual(10);
  await app.close();
}, 600_000);

/** A border around the middle of Santa Cruz, this many degrees away in all directions. */
const borderAround = (degrees: number) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => ({
    lon: -122.02 + degrees * 1.25 * Math.cos((corner * Math.PI) / 4),
    lat: 36.985 + degrees * Math.sin((corner * Math.PI) / 4),
  }));

/** Without main roads that lead anywhere. */
const asLane = (way: OsmWay): OsmWay => ({
  ...way,
  tags: { ...way.tags, ...(way.tags?.highway !== undefined && { highway: 'residential' }) },
});

test.each([
  { kind: 'cut by its own border', degrees: 0.035, change: undefined, leadsOut: true },
  { kind: 'of a few streets', degrees: 0.006, change: undefined, leadsOut: true },
  { kind: 'that no main road leaves', degrees: 0.02, change: asLane, leadsOut: false },
])(
  'a region without addresses, $kind, has places for the community and a week',
  async ({ degrees, change, leadsOut }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'sameway-cut-'));
    const extract = path.join(folder, 'cut.osm.pbf');
    await cutExtract('regions/santa-cruz/roads.osm.pbf', extract, borderAround(degrees), change);
    await promisify(execFile)(process.execPath, ['scripts/region.ts', '--pbf', extract, '--out', folder]);
    const said: string[] = [];
    const region = await loadRegion({
      env: readEnv({ NODE_ENV: 'test', REGION: 'cut', DATA_DIR: folder }),
      packsFolder: folder,
      say: (sentence) => said.push(sentence),
    });
    expect(said.some((sentence) => sentence.startsWith('No main road leaves Cut'))).toBe(!leadsOut);
    const app = await openTestApp({
      startsAt: new Date('2026-11-12T20:00:00Z'),
      env: { DEMO: '1', DATA_DIR: folder, REGION: 'cut' },
      region,
    });
    const places = await demoPlaces(app);
    expect(Object.keys(places).toSorted()).toEqual(Object.keys(placeRoles).toSorted());
    // Any two of them are a drive that can be published.
    const stops = Object.values(places).map((place) => region.network.snap(place)!);
    for (const [index, stop] of stops.entries())
      for (const other of stops.slice(index + 1)) expect(greatCircleMetres(stop, other)).toBeGreaterThan(50);
    expect([isAirport(places.airportNear), isAirport(places.airportFar)]).toEqual([leadsOut, leadsOut]);
    const week = planWeek({
      days: daysAround(new Date('2026-11-12T20:00:00Z'), region.info.timeZone),
      dice: createDice(831),
      driveMs: driveTimes(app, places),
      diary: new Diary(),
    });
    expect([...week.rides, ...week.requests].filter(({ scene }) => scene !== undefined)).toHaveLength(14);
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  },
  300_000,
);
