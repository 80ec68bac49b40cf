import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { login, refreshToken } from '#contract/access/endpoints.ts';
import { suspendUser } from '#contract/admin/endpoints.ts';
import { securityFigures } from '#contract/admin/security.ts';
import { buildHouse, type House } from '../app.ts';
import { openLive, type LiveClient } from '../testing/chatting.ts';
import { loadRegion } from '../features/geo/region.ts';
import { openTestHouse, type TestHouse } from '../testing/house.ts';
import { openMutingProxy, type MutingProxy } from '../testing/muting-proxy.ts';
import { hourMs, minuteMs } from './clock.ts';
import { openPool } from './db.ts';

// Two processes' worth of server on one database; the second reaches it on a way that can fall silent.
let house: TestHouse;
let other: House;
let proxy: MutingProxy;
const sockets: LiveClient[] = [];
const heartbeat = { everyMs: 300, withinMs: 1000 };

const addressOf = ({ app }: House) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

beforeAll(async () => {
  // No one drives anywhere here.
  const region = await loadRegion({ env: { REGION: '', DATA_DIR: os.tmpdir() } });
  house = await openTestHouse({
    region,
    withLive: true,
    withMemory: true,
    env: { LIVE_ADAPTER: 'postgres' },
  });
  const { host, port, user, password, database } = house.pool.options;
  proxy = await openMutingProxy({ host: String(host), port: Number(port) });
  const way = {
    host: '127.0.0.1',
    port: proxy.port,
    user: String(user),
    password: String(password),
    database: String(database),
  };
  const { env, log } = house.platform;
  other = await buildHouse({
    env,
    log,
    clock: house.clock,
    pool: openPool(way, () => undefined),
    region,
    withLive: true,
    withMemory: true,
    heartbeat,
  });
  for (const each of [house, other]) await each.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  for (const each of [other, house]) await each.platform.live.close();
  await other.app.close();
  await other.pool.end();
  await proxy.close();
  await house.close();
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
  return ((await answer.json()) as { code: number }).code;
}

test('a connection that listens falls silent, somebody is suspended elsewhere: their socket and their token end', async () => {
  const [admin, mia] = [await house.person('Ada', { isAdmin: true }), await house.person('Mia')];
  const socket = await connect(addressOf(other), mia.token);
  await vi.waitFor(async () => expect(await codeAt(addressOf(other), mia.token)).toBe(200));
  expect(proxy.mute(['listen person_changed', 'LISTEN "socket.io'])).toBe(2);
  await house.ok(admin, suspendUser, { id: mia.id, suspended: true, reason: 'Reported.' });
  await expect.poll(() => codeAt(addressOf(other), mia.token), { timeout: 29_000 }).toBe(400);
  await expect.poll(() => socket.connected, { timeout: 29_000 }).toBe(false);
});

test('a socket ends with its token, unless the app says the next one', async () => {
  const email = 'leo@example.com';
  await house.features.identity.enrol({ email, name: 'Leo', password: 'correct-donkey-tram' });
  const first = await house.ok(null, login, { email, password: 'correct-donkey-tram' });
  const url = addressOf(house);
  const [follows, forgets] = [await connect(url, first.accessToken), await connect(url, first.accessToken)];
  house.clock.advance(50 * minuteMs);
  const next = await house.ok(null, refreshToken, { refreshToken: first.refreshToken });
  follows.emit('token', { token: next.accessToken });
  // The token that was traded in is over at once.
  await expect.poll(() => forgets.connected, { timeout: 29_000 }).toBe(false);
  expect(follows.connected).toBe(true);
  house.clock.advance(hourMs);
  await expect.poll(() => follows.connected, { timeout: 29_000 }).toBe(false);
});

test('one person holds twenty sockets; what is beyond is refused and counted, and a place that is given back is free', async () => {
  const [admin, eve, leo] = [
    await house.person('Ada', { isAdmin: true }),
    await house.person('Eve'),
    await house.person('Leo'),
  ];
  const url = addressOf(house);
  const limited = async () => {
    const { counts } = await house.ok(admin, securityFigures, {});
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
