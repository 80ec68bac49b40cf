import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from './app.ts';
import { readEnv } from './platform/env.ts';
import { outages } from './schema/platform.ts';
import { publishRide } from './testing/orders.ts';
import { openTestApp, testRegion, type TestApp } from './testing/test-app.ts';

/** Sends events to other processes; none listens here. */
const settings = { LIVE_ADAPTER: 'postgres' };
let web: TestApp;
let worker: BuiltApp;
let workerWallMs = Date.now();

beforeAll(async () => {
  web = await openTestApp({ env: { ...settings, ROLES: 'web' } });
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...settings, ROLES: 'worker' });
  const { platform, clock, serverPool: pool } = web;
  worker = await buildApp({
    env,
    log: platform.log,
    clock,
    pool,
    region: await testRegion,
    withRealtime: false,
    wallMs: () => workerWallMs,
  });
});
afterAll(async () => {
  await worker.http.close();
  await web.close();
});

test('a worker answers whether it is there, the card provider, and nothing else', async () => {
  expect((await worker.http.inject('/app/version')).json()).toMatchObject({ code: 200 });
  expect((await worker.http.inject({ method: 'POST', url: '/payment/webhook' })).statusCode).toBe(400);
  for (const url of ['/order/list', '/pages/home', '/auth/login'])
    expect((await worker.http.inject(url)).statusCode).toBe(404);
});

test('what the clock does is done by the worker alone', async () => {
  const driver = await web.person('Ana');
  const ride = await publishRide(web, driver);
  web.clock.advance(3 * 24 * 3_600_000);
  await web.scheduler.tick();
  const state = async () =>
    (await web.pool.query('select state from rides where id = $1', [ride.id])).rows[0];
  expect(await state()).toEqual({ state: 'matching' });
  await worker.scheduler.tick();
  expect(await state()).toEqual({ state: 'expired' });
});

test('a worker knows when no process answered people, though it was at work itself', async () => {
  const { db } = web.platform;
  await web.platform.uptime.beat();
  await worker.platform.uptime.beat();
  const from = web.clock.now();
  const before = await db.$count(outages);
  for (let minute = 0; minute < 5; minute++) {
    workerWallMs += 30_000;
    web.clock.advance(30_000);
    await worker.platform.uptime.beat();
  }
  expect(await db.$count(outages)).toBeGreaterThan(before);
  expect(await worker.platform.uptime.wasAway(db, from, web.clock.now())).toBe(true);
});
