import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { match } from '#contract/rides/endpoints.ts';
import { buildApp, type BuiltApp } from '../../../app.ts';
import { readEnv } from '../../../platform/env.ts';
import { requests, rides } from '../../../schema/rides.ts';
import { publishRequest, publishRide } from '../../../testing/orders.ts';
import { freePort } from '../../../testing/server-process.ts';
import { openTestApp, testRegion, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import type { Ask } from '../engine/engine.ts';
import { serveOwnIndex, warmOwnIndex, searchIndex } from '../own-index.ts';
import { wishOf } from '../store.ts';
import type { IndexServer } from './index-server.ts';
import { RemoteIndex } from './remote-index.ts';

const secret = 'a secret that all processes know';
const ports = [await freePort(), await freePort()];
const urls = ports.map((port) => `http://127.0.0.1:${port}`);

/** A web process, and two matching processes behind it. */
let app: TestApp;
const behind: { app: BuiltApp; server: IndexServer }[] = [];
let driver: TestPerson;
let passenger: TestPerson;
let requestId: string;

/** A matching process of its own, on the database of the test. */
async function startMatching(port: number, settings: Record<string, string> = {}): Promise<void> {
  const env = readEnv({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    REGION: 'santa-cruz',
    ROLES: 'matching',
    MATCHING_PORT: String(port),
    MATCHING_SECRET: secret,
    ...settings,
  });
  const { platform, clock, serverPool: pool } = app;
  const { log } = platform;
  const made = await buildApp({ env, log, clock, pool, region: await testRegion, withRealtime: false });
  const server = await serveOwnIndex(made.platform, { port, secret });
  await warmOwnIndex(made.platform);
  behind.push({ app: made, server });
}

async function end({ app: ended, server }: { app: BuiltApp; server: IndexServer }): Promise<void> {
  await server.close();
  await ended.http.close();
}

beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T15:00:00Z'),
    env: { REGION: 'santa-cruz', MATCHING_URLS: urls.join(','), MATCHING_SECRET: secret },
  });
  for (const port of ports) await startMatching(port);
  await searchIndex(app.platform).warm();
  [driver, passenger] = [await app.person('Ana'), await app.person('Pia')];
  requestId = (await publishRequest(app, passenger)).id;
});
afterAll(async () => {
  for (const each of behind) await end(each);
  await app.close();
});

const found = async (): Promise<string[]> => {
  const { candidates } = await app.ok(passenger, match, { id: requestId, offset: 0 });
  return candidates.map(({ ride }) => ride?.id ?? '');
};

test('a web process finds by the matching processes what has just been committed, at each of them', async () => {
  expect(await found()).toEqual([]);
  const ride = await publishRide(app, driver);
  for (let each = 0; each < 4; each++) expect(await found()).toEqual([ride.id]);
});

test('one that ends is left out at once; with none a person is told to try again; a new one answers', async () => {
  const before = await found();
  await end(behind.shift()!);
  for (let each = 0; each < 4; each++) expect(await found()).toEqual(before);
  await end(behind.shift()!);
  expect(await app.call(passenger, match, { id: requestId, offset: 0 })).toMatchObject({
    code: 429,
    reason: 'server.gettingReady',
    data: { retryAfterSeconds: 5 },
  });
  const ride = await publishRide(app, await app.person('Ben'));
  await startMatching(ports[1]!);
  expect((await found()).toSorted()).toEqual([...before, ride.id].toSorted());
});

test('only those are answered that know the secret and speak of the same roads', async () => {
  const url = `http://127.0.0.1:${behind[0]!.server.port}/ready`;
  const dialect = { 'x-sameway-matching': 'another release' };
  const wrong = await fetch(url, { headers: { authorization: `Bearer ${secret}x`, ...dialect } });
  expect(wrong.status).toBe(401);
  const foreign = await fetch(url, { headers: { authorization: `Bearer ${secret}`, ...dialect } });
  expect(foreign.status).toBe(409);
});

test('orders divided by region are found as if they were in one index', async () => {
  const { db } = app.platform;
  for (let each = 0; each < 4; each++) await publishRide(app, await app.person(`Driver ${each}`));
  const open = await db.select({ id: rides.id }).from(rides).where(eq(rides.state, 'matching'));
  const published = await db.selectDistinct({ regionId: rides.regionId }).from(rides);
  expect(published).toEqual([{ regionId: 'santa-cruz' }]);
  // Two more regions; one that is not named any more goes with the first.
  const names = ['santa-cruz', 'porto', 'gone'];
  for (const [at, { id }] of open.entries())
    await db
      .update(rides)
      .set({ regionId: names[at % 3]! })
      .where(eq(rides.id, id));
  const [request] = await db.select().from(requests).where(eq(requests.id, requestId));
  const asker = { nowMs: app.clock.now().getTime(), hidden: [], most: 100, nearMisses: 5 };
  const ask: Ask = { kind: 'ridesFor', wish: wishOf(request!), offerCents: null, asker };
  const whole = await searchIndex(behind[0]!.app.platform).ask(ask);
  expect(whole.hits).toHaveLength(open.length);

  const regions = [await freePort(), await freePort()];
  const settings = { REGION: 'santa-cruz,porto' };
  await startMatching(regions[0]!, { ...settings, MATCHING_REGIONS: 'santa-cruz' });
  await startMatching(regions[1]!, { ...settings, MATCHING_REGIONS: 'porto' });
  const parts = new RemoteIndex({
    groups: regions.map((port, at) => ({ region: names[at]!, urls: [`http://127.0.0.1:${port}`] })),
    secret,
    env: readEnv({ NODE_ENV: 'test', ...settings }),
    log: app.platform.log,
  });
  const divided = await parts.ask(ask);
  const inOrder = ({ hits }: typeof whole) => hits.toSorted((a, b) => a.id.localeCompare(b.id));
  expect(inOrder(divided)).toEqual(inOrder(whole));
  expect(divided).toMatchObject({ publicCount: whole.publicCount, restrictedCount: whole.restrictedCount });
  const shares = await Promise.all(behind.slice(-2).map((each) => searchIndex(each.app.platform).ask(ask)));
  expect(shares.map(({ hits }) => hits.length)).toEqual([4, 2]);
  await parts.close();
});
