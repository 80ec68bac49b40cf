import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { accept, askToJoin } from '#contract/rides/endpoints.ts';
import { publishRequest, publishRide } from '../orders.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { compareLines, keptLines, type SaidLines } from './lines.ts';
import { wrongSeats } from './seats.ts';

// The comparisons of the restore drill find what a bad restore would leave.
let app: TestApp;
let rideId: string;
let bookingId: string;
let said: SaidLines;
const isHeard = true;

beforeAll(async () => {
  app = await openTestApp();
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  rideId = (await publishRide(app, driver)).id;
  const request = await publishRequest(app, passenger, { seats: 2 });
  const asked = await app.ok(passenger, askToJoin, { rideId, requestId: request.id });
  bookingId = asked.order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  await app.deliver();
  const texts = ['one', 'two', 'three'];
  for (const text of texts)
    await app.ok(driver, sendMessage, { roomid: rideId, clientId: crypto.randomUUID(), text });
  said = { roomId: rideId, senderId: driver.id, texts };
});
afterAll(() => app.close());

const lines = async () => compareLines(await keptLines(app.pool), [said]);
/** Runs a statement, reads its effect, and restores the table. */
async function after<T>(statement: string, look: () => Promise<T>): Promise<T> {
  await app.pool.query('create table kept_stops as table ride_stops');
  await app.pool.query('create table kept_messages as table chat_messages');
  try {
    await app.pool.query(statement);
    return await look();
  } finally {
    for (const [table, kept] of [
      ['ride_stops', 'kept_stops'],
      ['chat_messages', 'kept_messages'],
    ]) {
      await app.pool.query(`delete from ${table}`);
      await app.pool.query(`insert into ${table} select * from ${kept}`);
      await app.pool.query(`drop table ${kept}`);
    }
  }
}

test('a stop with a seat too few or too many, and a booking without its stops, are found', async () => {
  const seats = () => wrongSeats(app.pool, { isHeard });
  expect(await seats()).toEqual([]);
  const one = `where ride_id = '${rideId}' and kind = 'pickup'`;
  expect(await after(`update ride_stops set seats_taken = seats_taken - 1 ${one}`, seats)).toEqual([
    expect.stringContaining('has 1 seats taken, its bookings have 2'),
  ]);
  expect(await after(`update ride_stops set seats_taken = seats_taken + 1 ${one}`, seats)).toEqual([
    expect.stringContaining('has 3 seats taken, its bookings have 2'),
  ]);
  const gone = await after(`delete from ride_stops where booking_id = '${bookingId}'`, seats);
  expect(gone).toContain(`booking ${bookingId} is joined and has 0 stops on its ride`);
});

test('seats that a canceled booking still takes are found', async () => {
  await app.pool.query(`update bookings set state = 'cancel' where id = $1`, [bookingId]);
  const found = await wrongSeats(app.pool, { isHeard });
  await app.pool.query(`update bookings set state = 'joined' where id = $1`, [bookingId]);
  expect(found).toEqual([expect.stringContaining('has 2 seats taken, its bookings have 0')]);
});

test('a line lost at the end of a room, one that is there twice, and two in another order are found', async () => {
  const none = { lost: [], doubled: [], reordered: [] };
  expect(await lines()).toEqual(none);
  expect(await after(`delete from chat_messages where text = 'three'`, lines)).toEqual({
    ...none,
    lost: [`line three of ${rideId}`],
  });
  const again = `insert into chat_messages (room_id, seq, said, client_id, sender_id, kind, text, at)
    select room_id, seq + 100, said, gen_random_uuid(), sender_id, kind, text, at from chat_messages where text = 'two'`;
  expect(await after(again, lines)).toMatchObject({ lost: [], doubled: [`line in ${rideId}`] });
  const swapped = `update chat_messages set text = case text when 'one' then 'two' else 'one' end where text in ('one', 'two')`;
  expect(await after(swapped, lines)).toEqual({ ...none, reordered: [`lines in ${rideId}`] });
});
