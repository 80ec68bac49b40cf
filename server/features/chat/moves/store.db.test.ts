import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourMs, later } from '../../../platform/clock.ts';
import { asOneStatement } from '../../../platform/database/statement-parts.ts';
import { rideOf } from '../../../testing/booking-plans.ts';
import { newPerson } from '../../../testing/people.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { writingRoomMoves, type RoomMove } from './store.ts';

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
  const { id: rideId } = await app.features.orders.create(driverId, ride);
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
  return { now, rideId, driverId, passengerId, move };
}

test('a passenger whose seat is released leaves the ride’s room with a line, if they were in it', async () => {
  const { now, rideId, driverId, passengerId, move } = await rideWithRoom();
  const write = (...moves: RoomMove[]) => app.platform.kept.run(asOneStatement(writingRoomMoves(moves, now)));
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

test('a plan that is kept from when there were few rooms reads the rooms of its moves alone', async () => {
  const { now, rideId, driverId, passengerId, move } = await rideWithRoom();
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local plan_cache_mode = force_generic_plan');
    await client.query('set local enable_seqscan = off');
    await client.query(asOneStatement(writingRoomMoves([move({ enters: [driverId, passengerId] })], now)));
    await client.query(
      `with others as (
        insert into chat_rooms (id, ride_id, created_at) select gen_random_uuid(), $1, $2 from generate_series(1, 3000)
        returning id
      ) insert into chat_members (room_id, user_id, joined_at) select id, $3, $2 from others`,
      [rideId, now, passengerId],
    );
    const read = async () => {
      const { rows } = await client.query<{ read: string }>(
        `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_xact_user_tables
         where relname in ('chat_rooms', 'chat_members', 'chat_messages')`,
      );
      return Number(rows[0]!.read);
    };
    const before = await read();
    const moves = [move({}), move({ onlyWith: passengerId })];
    await client.query(asOneStatement(writingRoomMoves(moves, now)));
    expect((await read()) - before).toBeLessThan(50);
    const { rows: lines } = await client.query('select from chat_messages where room_id = $1', [rideId]);
    expect(lines).toHaveLength(3);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
