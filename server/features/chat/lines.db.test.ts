import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  msgList,
  roomDetail,
  sendMessage as sendCall,
  unreadCount,
  type Message,
} from '#contract/chat/endpoints.ts';
import type { Envelope } from '#contract/envelope.ts';
import { suspendUser } from '#contract/admin/endpoints.ts';
import { accept, askToJoin, cancelOrder } from '#contract/rides/endpoints.ts';
import { buildApp } from '../../app.ts';
import { openLive, type LiveClient } from '../../testing/chat-client.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { testCacheFolder } from '../../testing/cache-folder.ts';
import { loadRegion } from '../geo/region.ts';
import { sendMessage } from './send-message.ts';

// Events of open apps over their sockets, on a real database.
let app: TestApp;
let url: string;
const sockets: LiveClient[] = [];

beforeAll(async () => {
  app = await openTestApp({ withLive: true });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await app.platform.realtime.close();
  await app.close();
});

async function connect({ token }: TestPerson): Promise<LiveClient> {
  const socket = openLive(url, token);
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

const line = (roomid: string, text: string, clientId = crypto.randomUUID()) => ({ roomid, clientId, text });
const say = (socket: LiveClient, said: object): Promise<Envelope<Message> | null> =>
  socket.timeout(10_000).emitWithAck('send', said as ReturnType<typeof line>);

async function rideTogether() {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.ok(driver, accept, { bookingId: asked.order.bookings[0]!.id });
  await app.deliver();
  const [atDriver, atPassenger] = [await connect(driver), await connect(passenger)];
  return { driver, passenger, request, roomid: ride.id, atDriver, atPassenger };
}

const textsIn = async (who: TestPerson, roomid: string) =>
  (await app.ok(who, msgList, { roomid, after: 0, size: 200 })).messages.flatMap(({ kind, text }) =>
    kind === 'text' ? [text] : [],
  );

test('lines said at the same moment have positions without gaps, are acknowledged with them, and are heard by both', async () => {
  const { driver, roomid, atDriver, atPassenger } = await rideTogether();
  const heard: Message[] = [];
  atPassenger.on('message', (message) => heard.push(message));
  const texts = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const answers = await Promise.all(
    texts.map((text, at) => say(at % 2 === 0 ? atDriver : atPassenger, line(roomid, text))),
  );
  const seqs = answers.map((answer) => answer!.data!.seq);
  expect(seqs.toSorted((a, b) => a - b)).toEqual(seqs.map((_, at) => Math.min(...seqs) + at));
  await vi.waitFor(() => expect(heard).toHaveLength(40));
  expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, at) => heard[0]!.seq + at));
  expect((await textsIn(driver, roomid)).toSorted()).toEqual(texts.toSorted());
});

test('an id that is said twice, in one batch or later, is one line; it belongs to its sender', async () => {
  const { driver, roomid, atDriver, atPassenger } = await rideTogether();
  const said = line(roomid, 'Blue car');
  const [first, again] = await Promise.all([say(atDriver, said), say(atDriver, said)]);
  expect(again!.data!.seq).toBe(first!.data!.seq);
  expect((await say(atDriver, said))!.data).toEqual(first!.data);
  expect(await say(atPassenger, said)).toMatchObject({ code: 422, reason: 'message.taken' });
  expect(await textsIn(driver, roomid)).toEqual(['Blue car']);
});

test('one bad line fails alone: of a stranger, of another room, too long, or no line at all', async () => {
  const { driver, roomid, atDriver } = await rideTogether();
  const stranger = await connect(await app.person('Stranger'));
  const hostile = `'; drop table chat_messages; -- {"a"}, NULL, \\ "x" <b> 😀 مرحبا`;
  const [good, foreign, nowhere, long, odd, zero, nothing, kept] = await Promise.all([
    say(atDriver, line(roomid, 'before')),
    say(stranger, line(roomid, 'let me in')),
    say(atDriver, line(crypto.randomUUID(), 'where?')),
    say(atDriver, line(roomid, 'x'.repeat(2001))),
    say(atDriver, { roomid: { or: 1 }, clientId: 7, text: [] }),
    say(atDriver, line(roomid, 'a\u0000b')),
    say(atDriver, null as unknown as object),
    say(atDriver, line(roomid, hostile)),
  ]);
  expect(good).toMatchObject({ code: 200 });
  expect(foreign).toMatchObject({ code: 404, reason: 'room.notFound' });
  expect(nowhere).toMatchObject({ code: 404, reason: 'room.notFound' });
  for (const refused of [long, odd, zero, nothing]) expect(refused).toMatchObject({ code: 422 });
  expect(kept!.data!.text).toBe(hostile);
  expect(await textsIn(driver, roomid)).toEqual(['before', hostile]);
});

test('who has left, is suspended or comes after the end says nothing more, and no longer hears', async () => {
  const { driver, passenger, request, roomid, atDriver, atPassenger } = await rideTogether();
  expect(await say(atPassenger, line(roomid, 'on my way'))).toMatchObject({ code: 200 });
  await app.ok(passenger, cancelOrder, { id: request.id });
  await app.deliver();
  const heard: string[] = [];
  atPassenger.on('message', ({ text }) => heard.push(text));
  atPassenger.on('typing', () => heard.push('typing'));
  expect(await say(atPassenger, line(roomid, 'still here'))).toMatchObject({ reason: 'room.notFound' });
  atDriver.emit('typing', { roomid });
  expect(await say(atDriver, line(roomid, 'what a pity'))).toMatchObject({ code: 200 });
  expect(heard).toEqual([]);
  const admin = await app.person('Ada', { isAdmin: true });
  await app.ok(admin, suspendUser, { id: driver.id, suspended: true, reason: 'A report.' });
  const after = await say(atDriver, line(roomid, 'me too')).catch(() => null);
  expect(after?.code ?? 0).not.toBe(200);
});

test('a line that was written by a process that ended before it told of it is told when it is said again', async () => {
  const { driver, roomid, atDriver, atPassenger } = await rideTogether();
  const said = line(roomid, 'I wait at the corner');
  const tell = vi.spyOn(app.platform.realtime, 'tell').mockImplementation(() => undefined);
  await say(atDriver, said);
  tell.mockRestore();
  const heard: string[] = [];
  atPassenger.on('message', ({ text }) => heard.push(text));
  expect(await say(atDriver, said)).toMatchObject({ code: 200 });
  await vi.waitFor(() => expect(heard).toEqual(['I wait at the corner']));
  expect(await textsIn(driver, roomid)).toEqual(['I wait at the corner']);
});

test('a connection that is cut while a batch is written loses and doubles nothing', async () => {
  const { driver, roomid, atDriver } = await rideTogether();
  const saying = Array.from({ length: 60 }, async (_, at) => {
    await new Promise((resolve) => setTimeout(resolve, 3 * at));
    return say(atDriver, line(roomid, `line ${at}`));
  });
  for (let cut = 0; cut < 6; cut++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'sameway batches'`,
    );
  }
  const taken = (await Promise.all(saying)).map((answer) => answer?.data?.seq ?? null);
  const kept = await textsIn(driver, roomid);
  expect(new Set(kept).size).toBe(kept.length);
  expect(kept).toHaveLength(taken.filter((seq) => seq !== null).length);
  expect(taken).not.toContain(null);
});

test('two processes give the lines of one room one order, and neither doubles an id', async () => {
  const { driver, passenger, roomid } = await rideTogether();
  const region = await loadRegion({ env: { REGION: 'santa-cruz', DATA_DIR: testCacheFolder } });
  const { platform, clock, serverPool: pool } = app;
  const other = await buildApp({ ...platform, clock, pool, region, withRealtime: false });
  const both = crypto.randomUUID();
  await Promise.all([
    ...Array.from({ length: 30 }, (_, at) =>
      sendMessage((at % 2 === 0 ? app : other).platform, roomid, (at % 3 === 0 ? driver : passenger).id, {
        clientId: crypto.randomUUID(),
        text: `line ${at}`,
      }),
    ),
    ...[app, other].map((each) =>
      sendMessage(each.platform, roomid, driver.id, { clientId: both, text: 'same id' }),
    ),
  ]);
  await other.http.close();
  const { messages } = await app.ok(driver, msgList, { roomid, after: 0, size: 200 });
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1));
  expect(messages.filter(({ clientId }) => clientId === both)).toHaveLength(1);
  expect(messages.filter(({ kind }) => kind === 'text')).toHaveLength(31);
});

test('a read mark is told to the room with what is left unread; counters say the same as the lines', async () => {
  const { driver, passenger, roomid, atDriver, atPassenger } = await rideTogether();
  for (const text of ['one', 'two', 'three']) await say(atDriver, line(roomid, text));
  const count = async () => (await app.ok(passenger, unreadCount, {})).rooms[roomid] ?? 0;
  expect(await count()).toBe(3);
  const marks: unknown[] = [];
  atDriver.on('read', (mark) => marks.push(mark));
  const { lastSeq } = await app.ok(passenger, roomDetail, { roomid });
  const read = (seq: number) => atPassenger.timeout(10_000).emitWithAck('read', { roomid, seq });
  expect(await read(lastSeq - 1)).toMatchObject({ code: 200, data: { unread: 1 } });
  // Both of these are within half a second: they are one mark.
  const [back, end] = await Promise.all([read(1), read(999)]);
  expect([back, end]).toMatchObject([{ data: { unread: 0 } }, { data: { unread: 0 } }]);
  await vi.waitFor(() => expect(marks).toHaveLength(2));
  expect(marks).toEqual([
    { roomid, userId: passenger.id, seq: lastSeq - 1, unread: 1 },
    { roomid, userId: passenger.id, seq: lastSeq, unread: 0 },
  ]);
  await say(atPassenger, line(roomid, 'mine'));
  expect(await count()).toBe(0);
  expect((await app.ok(driver, roomDetail, { roomid })).unread).toBe(1);
  const stranger = await connect(await app.person('Stranger'));
  expect(await stranger.timeout(10_000).emitWithAck('read', { roomid, seq: 1 })).toMatchObject({
    reason: 'room.notFound',
  });
});

test('lines over sockets and over calls are limited together', async () => {
  const { driver, roomid, atDriver } = await rideTogether();
  const answers = await Promise.all(
    Array.from({ length: 61 }, (_, at) => say(atDriver, line(roomid, `${at}`))),
  );
  expect(answers.filter((answer) => answer?.code === 429)).toHaveLength(1);
  expect(await app.call(driver, sendCall, line(roomid, 'by call'))).toMatchObject({ code: 429 });
});
