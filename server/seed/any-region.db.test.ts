import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { loadRegion } from '../features/geo/region.ts';
import { readEnv } from '../platform/env.ts';
import { users } from '../schema/identity.ts';
import { bookings, rides } from '../schema/rides.ts';
import { testCacheFolder } from '../testing/cache-folder.ts';
import { openTestApp } from '../testing/test-app.ts';

import { placeRoles } from './place-roles.ts';
import { demoPlaces, seedDemoCommunity } from './seed.ts';
import { openRides } from './week.ts';

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
  expect(await db.$count(rides, and(eq(rides.state, 'matching'), isNull(rides.seriesId)))).toBe(openRides);
  expect(await db.$count(bookings, eq(bookings.state, 'joined'))).toBeGreaterThanOrEqual(10);
  await app.close();
}, 600_000);
