import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accept, askToJoin } from '#contract/rides/endpoints.ts';
import { buildApp, type BuiltApp } from '../../app.ts';
import { loadRegion } from '../../features/geo/region.ts';
import { testCacheFolder } from '../../testing/cache-folder.ts';
import { openLive, type LiveClient } from '../../testing/chat-client.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openRedisServer } from '../../testing/redis-server.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';

const redis = await openRedisServer();
const withRedis = test.skipIf(redis === null);
let app: TestApp;
let other: BuiltApp;
const sockets: LiveClient[] = [];

beforeAll(async () => {
  if (redis === null) return;
  app = await openTestApp({ withLive: true, env: { REDIS_URL: redis.url } });
  const region = await loadRegion({ env: { REGION: 'santa-cruz', DATA_DIR: testCacheFolder } });
  const { platform, clock, serverPool: pool } = app;
  other = await buildApp({ ...platform, clock, pool, region, withRealtime: true });
  for (const { http } of [app, other]) await http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  if (redis === null) return;
  for (const socket of sockets) socket.disconnect();
  for (const { platform } of [app, other]) await platform.realtime.close();
  await other.http.close();
  await app.close();
  await redis.stop();
});

async function connect({ http }: Pick<BuiltApp, 'http'>, { token }: TestPerson): Promise<LiveClient> {
  const socket = openLive(`http://127.0.0.1:${(http.server.address() as AddressInfo).port}`, token);
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/** A driver and a passenger who ride together, and so have a room. */
async function rideTogether(): Promise<{ driver: TestPerson; passenger: TestPerson; roomid: string }> {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.ok(driver, accept, { bookingId: asked.order.bookings[0]!.id });
  await app.deliver();
  return { driver, passenger, roomid: ride.id };
}

const say = (socket: LiveClient, roomid: string, text: string) =>
  socket.timeout(10_000).emitWithAck('send', { roomid, clientId: crypto.randomUUID(), text });

withRedis(
  'what is said at one process is heard at the other over Redis, in order; after a break people read on',
  async () => {
    const { driver, passenger, roomid } = await rideTogether();
    const [here, there] = [await connect(app, driver), await connect(other, passenger)];
    const heard: string[] = [];
    there.on('message', ({ text }) => heard.push(text));
    there.on('typing', () => heard.push('typing'));
    there.on('missed', () => heard.push('missed'));
    here.on('read', ({ userId }) => heard.push(`read ${userId}`));
    const texts = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    await Promise.all(Array.from({ length: 20 }, (_, at) => say(here, roomid, `line ${at}`)));
    await vi.waitFor(() => expect(heard).toEqual(texts), { timeout: 5000 });
    here.emit('typing', { roomid });
    await vi.waitFor(() => expect(heard).toContain('typing'), { timeout: 5000 });
    await there.timeout(10_000).emitWithAck('read', { roomid, seq: 5 });
    await vi.waitFor(() => expect(heard).toContain(`read ${passenger.id}`), { timeout: 5000 });

    await redis!.stop();
    expect(await say(here, roomid, 'without Redis')).toMatchObject({ code: 200 });
    await redis!.start();
    await vi.waitFor(() => expect(heard).toContain('missed'), { timeout: 20_000 });
    await say(here, roomid, 'line back');
    await vi.waitFor(() => expect(heard).toContain('line back'), { timeout: 20_000 });
  },
  60_000,
);
