import os from 'node:os';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signup } from '#contract/access/endpoints.ts';
import { config } from '#contract/app/endpoints.ts';
import { listUsers } from '#contract/admin/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { buildApp, type BuiltApp } from '../../app.ts';
import { loadRegion } from '../../features/geo/region.ts';
import { outages } from '../../schema/platform.ts';
import { openLive, type LiveClient } from '../../testing/chat-client.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { minuteMs } from '../clock.ts';
import { openPoolBeside } from '../database/db.ts';
import { beginMaintenance, endMaintenance } from '../maintenance.ts';

// Two processes on one database.
let app: TestApp;
let other: BuiltApp;
let url: string;
let person: TestPerson;
let admin: TestPerson;

beforeAll(async () => {
  const region = await loadRegion({ env: { REGION: '', DATA_DIR: os.tmpdir() } });
  app = await openTestApp({ region, withLive: true });
  url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { env, log } = app.platform;
  const pool = openPoolBeside(app.pool, { name: 'sameway second', max: 4 }, () => undefined);
  other = await buildApp({ env, log, clock: app.clock, pool, region, withRealtime: false });
  person = await app.person('Paula Person');
  admin = await app.person('Ada Admin', { isAdmin: true });
});
afterAll(async () => {
  await app.platform.realtime.close();
  await other.http.close();
  await other.pool.end();
  await app.close();
});

const once = (socket: LiveClient, event: 'connect' | 'connect_error' | 'disconnect') =>
  new Promise<unknown>((resolve) => socket.once(event, resolve));

const begin = async (message = '') => {
  await beginMaintenance(app.platform.db, message, app.clock.now());
  await app.platform.maintenance.look();
};
beforeEach(async () => {
  await endMaintenance(app.platform.db);
  await app.platform.maintenance.look();
});

const get = (address: string, who: TestPerson | null = null, language = 'en-US') =>
  app.http.inject({
    url: address,
    headers: {
      accept: 'text/html,application/json',
      'accept-language': language,
      ...(who === null ? {} : { authorization: `Bearer ${who.token}` }),
    },
  });

test('during maintenance every page is the maintenance page, in the reader’s language', async () => {
  await begin('Back at 3 PM. <b>Sorry!</b>');
  for (const address of ['/', '/intro', '/pages/order/order?tab=1', '/e/abc']) {
    const page = await get(address);
    expect(page.statusCode, address).toBe(503);
    expect(page.headers['retry-after']).toBe('60');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.body).toContain('<h1>Sameway is closed for maintenance</h1>');
    expect(page.body).toContain('Back at 3 PM. &#60;b&#62;Sorry!&#60;/b&#62;');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.body).not.toMatch(/ style="/);
  }
  const chinese = await get('/', null, 'zh-CN,zh;q=0.9');
  expect(chinese.body).toContain('<html lang="zh-CN">');
  expect(chinese.body).toContain('<h1>顺路正在维护</h1>');
});

test('during maintenance a call answers 503 with a sentence and the operator’s message', async () => {
  await begin('Back at 3 PM.');
  for (const who of [null, person]) {
    const answer = await get(readProfile.path, who);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.headers['retry-after']).toBe('60');
    expect(answer.body).toBe('Sameway is closed for maintenance. We’ll be back soon. Back at 3 PM.');
  }
});

test('during maintenance admins can work, and everyone can sign in, so that admins can', async () => {
  await begin();
  expect((await app.ok(admin, listUsers, { text: '' })).users.length).toBeGreaterThan(0);
  await app.ok(admin, readProfile, {});
  await app.ok(null, config, {});
  const refused = await app.callUnchecked(null, signup, {});
  expect(refused.code).toBe(422);
  for (const address of [
    '/pages/admin/admin',
    '/pages/login/login',
    '/pages/auth/auth',
    '/pages/account/security',
  ])
    expect((await get(address)).body).not.toContain('maintenance');
});

test('during maintenance the process is alive and ready', async () => {
  await begin();
  expect((await get('/health')).statusCode).toBe(200);
  expect((await get('/ready')).statusCode).toBe(200);
});

test('during maintenance open apps lose their sockets, admins keep theirs, and no other socket opens', async () => {
  const [socket, ofAdmin] = [openLive(url, person.token), openLive(url, admin.token)];
  await Promise.all([once(socket, 'connect'), once(ofAdmin, 'connect')]);
  const gone = once(socket, 'disconnect');
  await begin();
  await gone;
  expect(ofAdmin.connected).toBe(true);
  const late = openLive(url, person.token);
  expect(await once(late, 'connect_error')).toMatchObject({ message: 'server.maintenance' });
  for (const each of [socket, ofAdmin, late]) each.disconnect();
});

test('every process closes within seconds, and opens again', async () => {
  other.scheduler.start();
  const status = async () =>
    (await other.http.inject({ url: readProfile.path, headers: { authorization: `Bearer ${person.token}` } }))
      .statusCode;
  try {
    expect(await status()).toBe(200);
    await beginMaintenance(app.platform.db, '', app.clock.now());
    await expect.poll(status, { timeout: 5000 }).toBe(503);
    expect(await endMaintenance(app.platform.db)).toBe(true);
    await expect.poll(status, { timeout: 5000 }).toBe(200);
  } finally {
    await other.scheduler.stop();
  }
});

test('deadlines that pass during maintenance have no consequences, as after an outage', async () => {
  await app.platform.uptime.beat();
  await begin();
  const from = app.clock.now();
  for (let minutes = 0; minutes < 4; minutes++) await app.beAway(minuteMs);
  await app.platform.uptime.beat();
  expect((await app.platform.db.select().from(outages)).length).toBeGreaterThan(0);
  expect(await app.platform.uptime.wasAway(app.platform.db, from, app.clock.now())).toBe(true);
});
