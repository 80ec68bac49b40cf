import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suspendUser } from '#contract/admin/endpoints.ts';
import { logout } from '#contract/access/endpoints.ts';
import { msgList, type Message } from '#contract/chat/endpoints.ts';
import { accept, askToJoin, match } from '#contract/rides/endpoints.ts';
import { readProfile, saveProfile } from '#contract/user/endpoints.ts';
import { readEnvelope } from '../../testing/envelopes.ts';
import { ChatClient, openLive, type LiveClient } from '../../testing/chat-client.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { testCacheFolder } from '../../testing/cache-folder.ts';
import { addressOf } from '../../testing/database.ts';
import { freePort, startServerProcess, type ServerProcess } from '../../testing/server-process.ts';

// One process is this one, the other a real one that can be killed; both work on the same database.
let app: TestApp;
let here: string;
let other: ServerProcess;
let otherPort: number;
const sockets: LiveClient[] = [];

async function startOther(): Promise<void> {
  other = await startServerProcess(otherPort, {
    DATABASE_URL: addressOf(app.pool),
    DATA_DIR: testCacheFolder,
    LIVE_ADAPTER: 'postgres',
    LOG_LEVEL: 'error',
  });
}

beforeAll(async () => {
  app = await openTestApp({ withLive: true, env: { LIVE_ADAPTER: 'postgres' } });
  await app.platform.outbox.start(app.serverPool, app.platform.log);
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  here = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  otherPort = await freePort();
  await startOther();
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await other.stop();
  await app.platform.outbox.stop();
  await app.platform.realtime.close();
  await app.close();
});

async function connect(url: string, { token }: TestPerson): Promise<LiveClient> {
  const socket = openLive(url, token);
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 45_000; waited += 25) {
    if (await holds()) return;
    await sleep(25);
  }
  throw new Error('waited for 45 s in vain');
}

/** The other process's answer to a read. */
async function askOther(who: TestPerson, path: string, query: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(`${other.url}${path}?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });
  return readEnvelope(await answer.json()).data;
}

async function rideTogether(passengers: number): Promise<{ people: TestPerson[]; roomid: string }> {
  const driver = await app.person('Driver');
  const ride = await publishRide(app, driver, { maxDetourMinutes: 30 });
  const people = [driver];
  for (let index = 0; index < passengers; index++) {
    const passenger = await app.person(`Passenger ${index}`);
    const request = await publishRequest(app, passenger);
    const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
    await app.ok(driver, accept, { bookingId: asked.order.bookings[0]!.id });
    people.push(passenger);
    await until(async () => {
      const { messages } = await app.ok(passenger, msgList, { roomid: ride.id });
      return messages.some(({ system }) => system?.move === 'accept');
    });
  }
  return { people, roomid: ride.id };
}

test('what is done at one process is heard at the other: news, who is writing, ended sessions, and long lists of people', async () => {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const atOther = await connect(other.url, driver);
  const heard: string[] = [];
  atOther.on('changed', ({ topic, id }) => heard.push(`${topic} ${id}`));
  atOther.on('typing', ({ roomid, userId }) => heard.push(`typing ${roomid} ${userId}`));

  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const threadId = asked.order.bookings[0]!.id;
  await until(() => heard.includes(`order ${ride.id}`) && heard.includes(`room ${threadId}`));

  const atHere = await connect(here, passenger);
  atHere.emit('typing', { roomid: threadId });
  await until(() => heard.includes(`typing ${threadId} ${passenger.id}`));

  // More than fits into one notification.
  const crowd = Array.from({ length: 300 }, () => crypto.randomUUID());
  app.platform.realtime.tell([...crowd, driver.id], 'changed', { topic: 'event', id: 'crowd', news: null });
  await until(() => heard.includes('event crowd'));

  expect(atOther.connected).toBe(true);
  await app.ok(driver, logout, {});
  await until(() => !atOther.connected);
});

test('who is told of news at the other process reads it there, however late the database says so', async () => {
  const [admin, mia] = [await app.person('Ada', { isAdmin: true }), await app.person('Mia')];
  const profile = () => askOther(mia, '/user/profile');
  expect(await profile()).toMatchObject({ name: 'Mia' });
  const atOther = await connect(other.url, mia);
  const told = new Promise((resolve) => {
    atOther.once('changed', () => resolve(profile()));
  });
  await app.pool.query('alter table users disable trigger users_changed');
  await app.pool.query('alter table sessions disable trigger sessions_changed');
  await profile();
  await app.ok(admin, suspendUser, { id: mia.id, suspended: true, reason: 'Somebody reported you.' });
  expect(await told).toBeUndefined();
  await app.pool.query('alter table users enable trigger users_changed');
  await app.pool.query('alter table sessions enable trigger sessions_changed');
});

test('people whose process could not hear the other one for a while are told to read everything', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const heard: string[] = [];
  for (const [at, person] of [
    [here, mia],
    [other.url, leo],
  ] as const) {
    const socket = await connect(at, person);
    socket.on('missed', () => heard.push(`missed ${person.id}`));
    socket.on('changed', ({ id }) => heard.push(`${id} ${person.id}`));
  }
  const cut = await app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'sameway live'`,
  );
  expect(cut.rowCount).toBe(2);
  await until(() => heard.includes(`missed ${mia.id}`) && heard.includes(`missed ${leo.id}`));
  app.platform.realtime.tell([leo.id], 'changed', { topic: 'event', id: 'again', news: null });
  await until(() => heard.includes(`again ${leo.id}`));
});

test('neither process answers from memory what has changed at the other, nor misses an offer made there', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  expect(await askOther(mia, readProfile.path)).toMatchObject({ interests: '' });
  const profile = await app.ok(mia, readProfile, {});
  await app.ok(mia, saveProfile, { ...profile, interests: 'Sails' });
  await until(
    async () => readProfile.output.parse(await askOther(mia, readProfile.path)).interests === 'Sails',
  );

  const request = await publishRequest(app, leo);
  const ride = await publishRide(app, mia, { maxDetourMinutes: 30 });
  const found = await askOther(leo, match.path, {
    id: request.id,
  });
  expect(JSON.stringify(found)).toContain(ride.id);
});

test('a process killed while people write loses nothing, doubles nothing and leaves the order alone', async () => {
  const { people, roomid } = await rideTogether(2);
  const urls = [here, other.url];
  const writers = people.map(
    ({ id, token }, index) => new ChatClient({ urls, first: index + 1, userId: id, token, roomid }),
  );
  await Promise.all(writers.map((writer) => writer.start()));
  const each = 25;
  const writing = writers.map(async (writer, index) => {
    for (let line = 0; line < each; line++) {
      await writer.say(`${index}:${line}`);
      await sleep(20);
    }
  });
  await until(() => writers.every(({ acknowledged }) => acknowledged.length > 5));
  await other.kill();
  await until(() => writers.every(({ acknowledged }) => acknowledged.length > 12));
  await startOther();
  await Promise.all(writing);
  // All clients go on at the process that came back, as behind one address.
  const { id: userId, token } = people[0]!;
  const last = new ChatClient({ urls: [other.url], first: 0, userId, token, roomid });
  await last.start();
  await last.say('back');

  const total = each * people.length + 1;
  const spoken = (messages: readonly Message[]) =>
    messages.filter(({ kind }) => kind === 'text').map(({ text }) => text);
  await until(() => [...writers, last].every(({ shown }) => spoken(shown).length >= total));
  const kept = await app.ok(people[0]!, msgList, { roomid, after: 0, size: 200 });
  const texts = spoken(kept.messages);
  expect(kept.messages.map(({ seq }) => seq)).toEqual(kept.messages.map((_, index) => index + 1));
  expect(new Set(texts).size).toBe(total);
  expect(texts).toHaveLength(total);
  for (const writer of [...writers, last]) expect(spoken(writer.shown)).toEqual(texts);
  for (const [index] of people.entries())
    expect(texts.filter((text) => text.startsWith(`${index}:`))).toEqual(
      Array.from({ length: each }, (_, line) => `${index}:${line}`),
    );
  for (const writer of [...writers, last]) writer.stop();
  // A process starts in the middle of it: on a busy machine that alone takes a minute.
}, 300_000);
