import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin, cancelOrder } from '#contract/rides/endpoints.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { publishRequest, publishRide } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Circles of waiting that PostgreSQL had to break, of all its connections to this database. */
async function deadlocks(): Promise<number> {
  const { rows } = await app.pool.query<{ deadlocks: string }>(
    `select deadlocks from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]!.deadlocks);
}

/** Makes every move of a booking take a while, so that two transactions meet in the middle of theirs. */
async function slowly(bookingId: string): Promise<void> {
  await app.pool.query(`create or replace function test_slow() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.4); return new; end $$`);
  await app.pool.query(`create trigger test_slow after update on bookings for each row
    when (new.id = '${bookingId}' and new.state is distinct from old.state) execute function test_slow()`);
}

test('one ride takes a passenger while another, whom they have asked too, is canceled: neither waits for the other in a circle', async () => {
  const [kim, lou, mia] = [await app.person('Kim'), await app.person('Lou'), await app.person('Mia')];
  const rides = [
    await publishRide(app, kim, { maxDetourMinutes: 30 }),
    await publishRide(app, lou, { maxDetourMinutes: 30 }),
  ];
  const request = await publishRequest(app, mia);
  const ids: string[] = [];
  for (const ride of rides) {
    const { order } = await app.ok(mia, askToJoin, { rideId: ride.id, requestId: request.id });
    ids.push(order.bookings.find(({ rideId }) => rideId === ride.id)!.id);
  }
  await slowly(ids[0]!);
  const accepting = app.call(kim, accept, { bookingId: ids[0]! });
  // The accept has the request by now, and closes the other ask in a moment.
  await expect
    .poll(async () => {
      const { rowCount } = await app.pool.query(
        `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
      );
      return rowCount;
    })
    .toBe(1);
  const cancelling = app.call(lou, cancelOrder, { id: rides[1]!.id, reason: 'The car broke down' });
  expect((await accepting).code).toBe(200);
  expect((await cancelling).code).toBe(200);
  // Connections report their figures when they have been idle for a moment.
  await app.serverPool.query('select pg_stat_force_next_flush()');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(await deadlocks()).toBe(0);
});
