import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { msgList, sendMessage, unreadCount, type Message } from '#contract/chat/endpoints.ts';
import { realtimePath, type RealtimeFromServer } from '#contract/realtime.ts';
import { accept, askToJoin } from '#contract/rides/endpoints.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';

type Client = Socket<RealtimeFromServer, Record<string, never>>;

let app: TestApp;
let url: string;
const sockets: Client[] = [];
/** The changes that sockets received since `changes` was emptied. */
const changes: string[] = [];

beforeAll(async () => {
  app = await openTestApp({ withLive: true });
  await app.platform.outbox.start(app.serverPool, app.platform.log);
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await app.platform.outbox.stop();
  await app.platform.realtime.close();
  await app.close();
});

/** @param readingForMs how long the app has been reading; one that does not say gets no changes. */
async function connect(token: string, readingForMs?: number): Promise<Client> {
  const socket: Client = io(url, {
    path: realtimePath,
    transports: ['websocket'],
    auth: { token, readingForMs },
    reconnection: false,
    forceNew: true,
  });
  sockets.push(socket);
  socket.on('changed', ({ topic, id }) => changes.push(`${topic} ${id}`));
  socket.on('missed', () => changes.push('missed'));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/**
 * Lines by people; lines of moves can be read before they are delivered, and may come after the connection.
 */
function collect(socket: Client): Message[] {
  const seen: Message[] = [];
  socket.on('message', (message) => {
    if (message.kind !== 'system') seen.push(message);
  });
  return seen;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('waited for 10 s in vain');
}

async function rideTogether(): Promise<{ driver: TestPerson; passenger: TestPerson; roomid: string }> {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.ok(driver, accept, { bookingId: asked.order.bookings[0]!.id });
  await until(async () => {
    const { messages } = await app.ok(passenger, msgList, { roomid: ride.id });
    return messages.some(({ system }) => system?.move === 'accept');
  });
  return { driver, passenger, roomid: ride.id };
}

test('a socket without a session is refused', async () => {
  await expect(connect('nonsense')).rejects.toThrow('session.missing');
});

test('an ask is heard by the driver at once, and only by those concerned', async () => {
  const [driver, passenger, stranger] = [
    await app.person('Driver'),
    await app.person('Passenger'),
    await app.person('Stranger'),
  ];
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  const heard: string[] = [];
  const overheard: string[] = [];
  (await connect(driver.token)).on('changed', ({ topic, id, news }) =>
    heard.push(`${topic} ${id} ${news ?? ''}`),
  );
  (await connect(stranger.token)).on('changed', ({ id }) => overheard.push(id));
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await until(() => heard.includes(`order ${ride.id} booking.ask`));
  expect(overheard).toEqual([]);
});

test('lines said at once by both arrive once each, in one order; what a lost connection missed is read afterwards', async () => {
  const { driver, passenger, roomid } = await rideTogether();
  const atDriver = collect(await connect(driver.token));
  const passengerSocket = await connect(passenger.token);
  const atPassenger = collect(passengerSocket);
  const say = (who: TestPerson, text: string, clientId = crypto.randomUUID()) =>
    app.ok(who, sendMessage, { roomid, clientId, text });

  await Promise.all(
    Array.from({ length: 20 }, (_, index) => say(index % 2 === 0 ? driver : passenger, `line ${index}`)),
  );
  await until(() => atDriver.length >= 20 && atPassenger.length >= 20);
  const bySeq = (messages: readonly Message[]) =>
    messages.toSorted((a, b) => a.seq - b.seq).map(({ seq, text }) => `${seq} ${text}`);
  expect(atDriver).toHaveLength(20);
  expect(bySeq(atDriver)).toEqual(bySeq(atPassenger));

  const last = Math.max(...atPassenger.map(({ seq }) => seq));
  passengerSocket.disconnect();
  const clientId = crypto.randomUUID();
  const [first, again] = await Promise.all([
    say(driver, 'are you there?', clientId),
    say(driver, 'are you there?', clientId),
  ]);
  expect(again.id).toBe(first.id);
  await say(driver, 'I wait at the corner');
  expect((await app.ok(passenger, unreadCount, {})).unread).toBeGreaterThanOrEqual(2);
  const missed = await app.ok(passenger, msgList, { roomid, after: last });
  expect(missed.messages.map(({ seq, text }) => [seq, text])).toEqual([
    [last + 1, 'are you there?'],
    [last + 2, 'I wait at the corner'],
  ]);
});

test('a room is closed to strangers, to whoever writes nothing, and to 2,001 characters', async () => {
  const { driver, roomid } = await rideTogether();
  const stranger = await app.person('Stranger');
  const line = { roomid, clientId: crypto.randomUUID(), text: 'hello' };
  expect(await app.call(stranger, sendMessage, line)).toMatchObject({ code: 404, reason: 'room.notFound' });
  expect(await app.call(stranger, msgList, { roomid })).toMatchObject({ code: 404 });
  expect(await app.call(driver, sendMessage, { ...line, text: '   ' })).toMatchObject({
    code: 422,
    data: { fields: { text: expect.any(String) } },
  });
  expect(await app.call(driver, sendMessage, { ...line, text: 'x'.repeat(2001) })).toMatchObject({
    code: 422,
  });
  const markup = await app.ok(driver, sendMessage, {
    ...line,
    text: '<img src=x onerror=alert(1)> 😀 مرحبا',
  });
  expect(markup.text).toBe('<img src=x onerror=alert(1)> 😀 مرحبا');
});

test('what changes between an app’s first read and its connection is told when it connects', async () => {
  const { driver, passenger, roomid } = await rideTogether();
  // A process that has just started does not know what was sent before.
  await until(async () => {
    changes.length = 0;
    const socket = await connect(driver.token, 2000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    socket.disconnect();
    return !changes.includes('missed');
  });
  changes.length = 0;
  await app.ok(passenger, sendMessage, { roomid, clientId: crypto.randomUUID(), text: 'Hello' });
  await connect(driver.token, 2000);
  await until(() => changes.includes(`room ${roomid}`));
  expect(changes).not.toContain('missed');
  changes.length = 0;
  await connect(driver.token, 600_000);
  await until(() => changes.length > 0);
  expect(changes).toEqual(['missed']);
});
