import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  markRead,
  msgList,
  roomDetail,
  roomList,
  sendMessage,
  unreadCount,
} from '#contract/chat/endpoints.ts';
import { blockPerson } from '#contract/contacts/endpoints.ts';
import { accept, askToJoin, cancelOrder, invite, reject } from '#contract/rides/endpoints.ts';
import { dayMs, minuteMs } from '../../platform/clock.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { upload } from '../../testing/upload.ts';
import { clearPictures } from '../pictures/schedule.ts';
import { removePicturesOf } from '../pictures/store.ts';

let app: TestApp;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-files-'));
beforeAll(async () => {
  app = await openTestApp({ env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const exactFrom = { ...spots.westside, name: '1156 High Street', detail: 'Santa Cruz, blue door' };

async function ask(message = '') {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver, { from: exactFrom, maxDetourMinutes: 30 });
  const request = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, {
    rideId: ride.id,
    requestId: request.id,
    message,
  });
  await app.deliver();
  return { driver, passenger, ride, request, bookingId: asked.order.bookings[0]!.id };
}

const say = (who: TestPerson, roomid: string, said: Record<string, unknown>) =>
  app.call(who, sendMessage, { roomid, clientId: crypto.randomUUID(), ...said });
const picture = async () =>
  sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#3f7f5f' } })
    .jpeg()
    .toBuffer();

test('an ask opens a thread of two, which goes on in the ride’s room, and what was said stays between them', async () => {
  const { driver, passenger, ride, bookingId } = await ask('Room for a surfboard?');
  const [thread] = (await app.ok(driver, roomList, {})).rooms;
  expect(thread).toMatchObject({ roomid: bookingId, rideId: ride.id, bookingId, closed: false, unread: 0 });
  expect(thread!.members.map(({ id }) => id).toSorted()).toEqual([driver.id, passenger.id].toSorted());
  expect(thread!.lastMessage!.system).toMatchObject({ move: 'ask', words: 'Room for a surfboard?' });
  // A person who has not joined sees no house numbers.
  expect(thread!.title.from).toBe('1156 High Street');
  const asked = await app.ok(passenger, roomDetail, { roomid: bookingId });
  expect(asked.title.from).not.toContain('1156');

  expect(await say(driver, bookingId, { text: 'Up to 7 feet' })).toMatchObject({ code: 200 });
  expect((await app.ok(passenger, unreadCount, {})).unread).toBe(1);
  await app.ok(passenger, markRead, { roomid: bookingId, seq: 99 });
  const read = await app.ok(driver, roomDetail, { roomid: bookingId });
  expect(read.members.find(({ id }) => id === passenger.id)!.readSeq).toBe(read.lastSeq);
  const stranger = await app.person('Stranger');
  expect((await say(stranger, bookingId, { text: 'hi' })).reason).toBe('room.notFound');

  await app.ok(driver, accept, { bookingId });
  await app.deliver();
  expect(await say(passenger, bookingId, { text: 'and here?' })).toMatchObject({
    code: 409,
    reason: 'room.joined',
  });
  const together = await app.ok(passenger, roomDetail, { roomid: ride.id });
  expect(together).toMatchObject({ bookingId: null, closed: false });
  expect(together.title.from).toBe('1156 High Street');
  const before = await app.ok(passenger, roomDetail, { roomid: bookingId });
  expect(before).toMatchObject({ closed: true, closedBecause: 'joined' });

  // A second passenger of the ride cannot read it.
  const other = await app.person('Other');
  const request = await publishRequest(app, other);
  const second = await app.ok(other, askToJoin, { rideId: ride.id, requestId: request.id, message: '' });
  await app.ok(driver, accept, { bookingId: second.order.bookings[0]!.id });
  await app.deliver();
  expect((await app.call(other, msgList, { roomid: bookingId })).reason).toBe('room.notFound');
  expect((await app.call(other, msgList, { roomid: ride.id })).code).toBe(200);
  // The second thread has no message, so it is in no list; the first one is listed.
  const rooms = (await app.ok(driver, roomList, {})).rooms.map(({ roomid }) => roomid);
  expect(rooms.toSorted()).toEqual([bookingId, ride.id].toSorted());
});

test('who opens a room by right while the news of their joining opens it too waits for it, and both are done', async () => {
  const { driver, passenger, ride, bookingId } = await ask();
  await app.ok(driver, accept, { bookingId });
  const news = await app.pool.connect();
  try {
    await news.query('begin');
    await news.query(`insert into chat_rooms (id, ride_id, created_at) values ($1, $1, now())`, [ride.id]);
    const read = app.call(passenger, msgList, { roomid: ride.id });
    await expect
      .poll(async () => {
        const { rowCount } = await app.pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rowCount;
      })
      .toBe(1);
    for (const id of [driver.id, passenger.id].toSorted())
      await news.query(`insert into chat_members (room_id, user_id, joined_at) values ($1, $2, now())`, [
        ride.id,
        id,
      ]);
    await news.query('commit');
    expect(await read).toMatchObject({ code: 200 });
  } finally {
    news.release();
  }
});

test('a thread ends with its ask or invitation, and can be read afterwards', async () => {
  const { driver, passenger, ride, bookingId } = await ask();
  await app.ok(driver, reject, { bookingId, reason: 'Full of luggage' });
  await app.deliver();
  expect(await say(passenger, bookingId, { text: 'please' })).toMatchObject({
    code: 409,
    reason: 'room.over',
  });
  expect(
    (await app.ok(passenger, msgList, { roomid: bookingId })).messages.map((m) => m.system?.move),
  ).toEqual(['reject', 'ask']);

  const guest = await app.person('Guest');
  const request = await publishRequest(app, guest);
  await app.ok(driver, invite, { rideId: ride.id, requestId: request.id, message: '' });
  await app.deliver();
  const [thread] = (await app.ok(guest, roomList, {})).rooms;
  expect(thread!.lastMessage!.system!.move).toBe('invite');
  expect((await say(guest, thread!.roomid, { text: 'Thanks!' })).code).toBe(200);
  await app.ok(guest, blockPerson, { id: driver.id });
  await app.deliver();
  expect((await say(driver, thread!.roomid, { text: 'Why?' })).reason).toBe('room.over');
});

test('after the ride nothing more is written, and everything can be read', async () => {
  const { driver, passenger, ride, bookingId } = await ask();
  await app.ok(driver, accept, { bookingId });
  await app.deliver();
  await say(passenger, ride.id, { text: 'See you' });
  await app.ok(driver, cancelOrder, { id: ride.id, reason: 'The car broke down' });
  await app.deliver();
  expect(await say(driver, ride.id, { text: 'Sorry' })).toMatchObject({
    code: 409,
    reason: 'room.closed',
    info: 'The ride has ended, no more messages can be sent.',
  });
  const page = async (offset: number, size: number) =>
    (await app.ok(driver, msgList, { roomid: ride.id, offset, size })).messages.map(
      ({ text, system }) => system?.move ?? text,
    );
  // The newest first, with limit and offset.
  const all = await page(0, 50);
  expect(all.toSorted()).toEqual(['See you', 'accept', 'cancelByDriver', 'cancelRide']);
  expect(all.slice(2)).toEqual(['See you', 'accept']);
  for (const [offset, size] of [
    [0, 2],
    [1, 2],
    [3, 50],
    [4, 50],
  ] as const)
    expect(await page(offset, size)).toEqual(all.slice(offset, offset + size));
});

test('a picture is for those in the room, for minutes, and once; a place is kept as it was shared', async () => {
  const { driver, passenger, bookingId } = await ask();
  const send = async (who: TestPerson) =>
    ((await upload(app, who, 'chat', [{ bytes: await picture() }])).data as { id: string }).id;
  const id = await send(passenger);
  const clientId = crypto.randomUUID();
  const sent = await app.ok(passenger, sendMessage, { roomid: bookingId, clientId, picture: id });
  expect(sent).toMatchObject({ kind: 'picture', text: '', picture: { width: 1600, height: 800 } });
  const again = await app.ok(passenger, sendMessage, { roomid: bookingId, clientId, picture: id });
  expect(again.seq).toBe(sent.seq);
  expect((await say(passenger, bookingId, { picture: id })).reason).toBe('upload.gone');
  expect((await say(driver, bookingId, { picture: await send(passenger) })).reason).toBe('upload.gone');
  expect((await say(driver, bookingId, { picture: crypto.randomUUID() })).reason).toBe('upload.gone');

  const [seen] = (await app.ok(driver, msgList, { roomid: bookingId, size: 1 })).messages;
  const look = async () => (await app.http.inject({ method: 'GET', url: seen!.picture!.url })).statusCode;
  expect(await look()).toBe(200);
  app.clock.advance(11 * minuteMs);
  expect(await look()).toBe(404);
  const [fresh] = (await app.ok(driver, msgList, { roomid: bookingId, size: 1 })).messages;
  expect(fresh!.picture!.url).not.toBe(seen!.picture!.url);
  app.clock.advance(2 * dayMs);
  await clearPictures(app.platform);
  expect((await app.ok(driver, msgList, { roomid: bookingId, size: 1 })).messages[0]!.picture).not.toBeNull();
  await app.platform.transact('test', (tx) => removePicturesOf(tx, passenger.id));
  const [gone] = (await app.ok(driver, msgList, { roomid: bookingId, size: 1 })).messages;
  expect(gone).toMatchObject({ kind: 'picture', picture: null });
});

test.each([
  ['nothing', {}],
  ['two things at once', { text: 'here', place: spots.capitola }],
  ['words that cannot be seen', { text: ' \u200b ' }],
  ['a place off the earth', { place: { ...spots.capitola, lat: 91 } }],
  ['a picture that is no id', { picture: 'x' }],
])('%s is no message', async (_, said) => {
  const { driver, bookingId } = await ask();
  expect(await say(driver, bookingId, said)).toMatchObject({ code: 422, reason: 'input.invalid' });
  expect((await app.ok(driver, roomDetail, { roomid: bookingId })).lastSeq).toBe(1);
  const place = await say(driver, bookingId, { place: spots.capitola });
  expect(place).toMatchObject({ code: 200, data: { kind: 'place', text: '', place: spots.capitola } });
});

test('who has asked or joined writes and reads at once, though the queue has opened no room yet; a stranger does not', async () => {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver, { maxDetourMinutes: 30 });
  const request = await publishRequest(app, passenger);
  const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = asked.order.bookings[0]!.id;
  expect(await say(passenger, bookingId, { text: 'Room for a dog?' })).toMatchObject({ code: 200 });
  expect((await say(passenger, ride.id, { text: 'hello' })).reason).toBe('room.notFound');
  await app.ok(driver, accept, { bookingId });

  expect(await say(passenger, ride.id, { text: 'On my way' })).toMatchObject({ code: 200 });
  const read = await app.ok(driver, msgList, { roomid: ride.id });
  expect(read.messages.map(({ text }) => text)).toEqual(['On my way']);
  expect((await app.ok(driver, roomDetail, { roomid: ride.id })).members).toHaveLength(2);
  const stranger = await app.person('Stranger');
  expect((await say(stranger, ride.id, { text: 'hi' })).reason).toBe('room.notFound');
  expect((await app.call(stranger, roomDetail, { roomid: ride.id })).reason).toBe('room.notFound');

  await app.deliver();
  const both = await app.ok(driver, msgList, { roomid: ride.id, after: 0 });
  expect(both.messages.map(({ text, system }) => system?.move ?? text)).toEqual(['On my way', 'accept']);
  // A person who has left cannot enter again.
  await app.ok(passenger, cancelOrder, { id: request.id });
  await app.deliver();
  expect((await say(passenger, ride.id, { text: 'still here' })).reason).toBe('room.notFound');
});
