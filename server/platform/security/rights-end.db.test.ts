import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import { suspendUser } from '#contract/admin/endpoints.ts';
import { securityFigures } from '#contract/admin/security.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { users } from '../../schema/identity.ts';
import { buildApp, type BuiltApp } from '../../app.ts';
import { readEnvelope } from '../../testing/envelopes.ts';
import { openLive, type LiveClient } from '../../testing/chat-client.ts';
import { loadRegion } from '../../features/geo/region.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { openSilentProxy, type SilentProxy } from '../../testing/silent-proxy.ts';
import { hourMs, minuteMs, secondMs } from '../clock.ts';
import { openPool } from '../database/db.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';

// Two processes' worth of server on one database; the second reaches it on a way that can fall silent.
let app: TestApp;
let other: BuiltApp;
let proxy: SilentProxy;
const sockets: LiveClient[] = [];
const heartbeat = { everyMs: 300, withinMs: 1000 };

const addressOf = ({ http }: BuiltApp) => `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;

beforeAll(async () => {
  // No one drives anywhere here.
  const region = await loadRegion({ env: { REGION: '', DATA_DIR: os.tmpdir() } });
  app = await openTestApp({
    region,
    withLive: true,
    env: { LIVE_ADAPTER: 'postgres' },
  });
  const { host, port, user, password, database } = app.pool.options;
  proxy = await openSilentProxy({ host: String(host), port: Number(port) });
  const way = {
    host: '127.0.0.1',
    port: proxy.port,
    user: String(user),
    password: String(password),
    database: String(database),
  };
  const { env, log } = app.platform;
  other = await buildApp({
    env,
    log,
    clock: app.clock,
    pool: openPool(way, () => undefined),
    region,
    withRealtime: true,
    heartbeat,
  });
  for (const each of [app, other]) await each.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  for (const each of [other, app]) await each.platform.realtime.close();
  await other.http.close();
  await other.pool.end();
  await proxy.close();
  await app.close();
});

async function connect(url: string, token: string): Promise<LiveClient> {
  const socket = openLive(url, token);
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

async function codeAt(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/user/profile`, { headers: { authorization: `Bearer ${token}` } });
  return readEnvelope(await answer.json()).code;
}

test('a connection that listens falls silent, somebody is suspended elsewhere: their socket and their token end', async () => {
  const [admin, mia] = [await app.person('Ada', { isAdmin: true }), await app.person('Mia')];
  const socket = await connect(addressOf(other), mia.token);
  await vi.waitFor(async () => expect(await codeAt(addressOf(other), mia.token)).toBe(200));
  // The channel of sockets is listened to a moment after the server has started.
  await vi.waitFor(() => expect(proxy.mute(['listen person_changed', 'LISTEN "socket.io'])).toBe(2));
  await app.ok(admin, suspendUser, { id: mia.id, suspended: true, reason: 'Reported.' });
  await expect.poll(() => codeAt(addressOf(other), mia.token), { timeout: 29_000 }).toBe(400);
  await expect.poll(() => socket.connected, { timeout: 29_000 }).toBe(false);
});

test('a socket ends with its token, unless the app says the next one', async () => {
  const email = 'leo@example.com';
  await enrollAccount(app.platform, { email, name: 'Leo', password: 'correct-donkey-tram' });
  const first = await app.ok(null, access.login, { email, password: 'correct-donkey-tram' });
  const url = addressOf(app);
  const [follows, forgets] = [await connect(url, first.accessToken), await connect(url, first.accessToken)];
  app.clock.advance(50 * minuteMs);
  const next = await app.ok(null, access.refreshToken, { refreshToken: first.refreshToken });
  follows.emit('token', { token: next.accessToken });
  // The token that was traded in is over at once.
  await expect.poll(() => forgets.connected, { timeout: 29_000 }).toBe(false);
  expect(follows.connected).toBe(true);
  app.clock.advance(hourMs);
  await expect.poll(() => follows.connected, { timeout: 29_000 }).toBe(false);
});

test('one person holds twenty sockets; what is beyond is refused and counted, and a place that is given back is free', async () => {
  const [admin, eve, leo] = [
    await app.person('Ada', { isAdmin: true }),
    await app.person('Eve'),
    await app.person('Leo'),
  ];
  const url = addressOf(app);
  const limited = async () => {
    const { counts } = await app.ok(admin, securityFigures, {});
    return counts.find(({ event }) => event === 'rateLimited')!.lately;
  };
  const before = await limited();
  const opened = await Promise.allSettled(Array.from({ length: 30 }, () => connect(url, eve.token)));
  const held = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(held).toHaveLength(20);
  for (const each of opened)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ message: 'rate.limited' });
  expect((await limited()) - before).toBe(10);
  expect((await connect(url, leo.token)).connected).toBe(true);
  held[0]!.disconnect();
  await expect.poll(() => connect(url, eve.token).catch(() => null), { timeout: 29_000 }).not.toBeNull();
});

test('a session that is over, traded in, ended or suspended is over at once', async () => {
  const password = 'correct-donkey-tram';
  const enrolled = async (name: string) => {
    const email = `${name}@example.com`;
    await enrollAccount(app.platform, { email, name, password });
    return app.ok(null, access.login, { email, password });
  };
  const as = (user: SessionUser): TestPerson => ({ id: user.id, email: user.email, token: user.accessToken });
  const codeOf = async (user: SessionUser) => (await app.call(as(user), readProfile, {})).code;

  const traded = await enrolled('traded');
  expect(await codeOf(traded)).toBe(200);
  const fresh = await app.ok(null, access.refreshToken, { refreshToken: traded.refreshToken });
  expect([await codeOf(traded), await codeOf(fresh)]).toEqual([400, 200]);
  await app.ok(as(fresh), access.logout, {});
  expect(await codeOf(fresh)).toBe(400);

  const suspended = await enrolled('suspended');
  expect(await codeOf(suspended)).toBe(200);
  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, suspended.id));
  expect(await codeOf(suspended)).toBe(400);

  const old = await enrolled('old');
  expect(await codeOf(old)).toBe(200);
  app.clock.advance(hourMs + secondMs);
  expect(await codeOf(old)).toBe(400);
});
