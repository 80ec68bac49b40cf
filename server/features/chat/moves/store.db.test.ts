import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourMs, later } from '../../../platform/clock.ts';
import { rideOf } from '../../../testing/booking-plans.ts';
import { newPerson } from '../../../testing/people.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createOrder } from '../../orders/order-commands.ts';
import type { RoomMove } from '../rules/room-moves.ts';
import { moveRooms } from './note-moves.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A ride with a room, and moves in it. */
async function rideWithRoom() {
  const now = app.clock.now();
  const { id: driverId } = await newPerson(app.platform, 'Driver');
  const { id: passengerId } = await newPerson(app.platform, 'Passenger');
  const ride = rideOf({ departsAt: later(now, hourMs), vehicleId: null, isInstant: false });
  const { id: rideId } = await createOrder(app.platform, driverId, ride);
  const move = (changes: Partial<RoomMove>): RoomMove => ({
    room: { id: rideId, rideId, bookingId: null },
    clientId: crypto.randomUUID(),
    move: 'cancel',
    personId: passengerId,
    at: now,
    enters: [],
    leaves: null,
    closes: null,
    onlyWith: null,
    ...changes,
  });
  return { rideId, driverId, passengerId, move };
}

test('a passenger whose seat is released leaves the ride’s room with a line, if they were in it', async () => {
  const { rideId, driverId, passengerId, move } = await rideWithRoom();
  const write = (...moves: RoomMove[]) => moveRooms(app.platform, moves);
  const column = async (query: string) => {
    const { rows } = await app.pool.query<{ value: string }>(query, [rideId]);
    return rows.map(({ value }) => value);
  };
  const lines = () =>
    column(`select system ->> 'move' as value from chat_messages where room_id = $1 order by seq`);
  const members = () =>
    column(
      'select user_id as value from chat_members where room_id = $1 and left_at is null order by user_id',
    );
  const both = [driverId, passengerId];
  const released = () => move({ leaves: passengerId, onlyWith: passengerId });
  await write(move({ move: 'joinAtOnce', enters: both }));
  expect(new Set(await members())).toEqual(new Set(both));
  await write(released());
  expect([await lines(), await members()]).toEqual([['joinAtOnce', 'cancel'], [driverId]]);
  // They are not in it any more: neither in another batch nor in the same one.
  await write(released(), released());
  expect(await lines()).toEqual(['joinAtOnce', 'cancel']);
  await write(move({ move: 'joinAtOnce', enters: both }), released(), released());
  expect([await lines(), await members()]).toEqual([
    ['joinAtOnce', 'cancel', 'joinAtOnce', 'cancel'],
    [driverId],
  ]);
});
