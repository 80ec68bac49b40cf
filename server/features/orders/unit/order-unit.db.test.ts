import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askToJoin } from '#contract/rides/endpoints.ts';
import { inSavepoint } from '../../../platform/database/db.ts';
import { bookings, rides } from '../../../schema/rides.ts';
import { publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import * as store from '../store.ts';
import { unitOf } from './order-unit.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function asked(detail: string): Promise<{ rideId: string; requestId: string; bookingId: string }> {
  const [driver, passenger] = [await app.person(`Kim ${detail}`), await app.person(`Mia ${detail}`)];
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return { rideId: ride.id, requestId: request.id, bookingId: order.bookings[0]!.id };
}

test('what a transaction changes in memory is there for its own statements, and written by its end', async () => {
  const { rideId, requestId, bookingId } = await asked('one');
  await app.platform.transact(async (tx) => {
    await store.lockRide(tx, rideId);
    await store.updateBooking(tx, bookingId, { reason: 'in memory' });
    expect((await store.bookingsOf(tx, { requestIds: [requestId] }))[0]!.reason).toBe('in memory');
    // A statement of its own: what it reads has been written by then.
    const [row] = await tx.select().from(bookings).where(eq(bookings.id, bookingId));
    expect(row!.reason).toBe('in memory');
    // A statement that changes the same rows: what was held of them is read anew.
    await tx.update(bookings).set({ reason: 'by a statement' }).where(eq(bookings.id, bookingId));
    await store.lockRide(tx, rideId);
    expect((await store.bookingsOf(tx, { requestIds: [requestId] }))[0]!.reason).toBe('by a statement');
    await store.updateBooking(tx, bookingId, { reason: 'at the end' });
  });
  expect((await store.bookingById(app.platform.db, bookingId))!.reason).toBe('at the end');
});

test('what a savepoint undoes is undone in memory too', async () => {
  const { rideId, requestId, bookingId } = await asked('two');
  await app.platform.transact(async (tx) => {
    await store.lockRide(tx, rideId);
    await store.updateBooking(tx, bookingId, { reason: 'before' });
    await expect(
      inSavepoint(tx, async (inner) => {
        await store.updateBooking(inner, bookingId, { reason: 'undone' });
        throw new Error('undo');
      }),
    ).rejects.toThrow('undo');
    await store.lockRide(tx, rideId);
    expect((await store.bookingsOf(tx, { requestIds: [requestId] }))[0]!.reason).toBe('before');
  });
  expect((await store.bookingById(app.platform.db, bookingId))!.reason).toBe('before');
});

test('a booking that changed past the lock is read and done again', async () => {
  const { rideId, bookingId } = await asked('three');
  let tries = 0;
  await app.platform.transact(async (tx) => {
    await store.lockRide(tx, rideId);
    if (tries++ === 0)
      await app.pool.query('update bookings set version = version + 1, message = $1 where id = $2', [
        'from elsewhere',
        bookingId,
      ]);
    await store.updateBooking(tx, bookingId, { reason: 'mine' });
  });
  expect(tries).toBe(2);
  const row = (await store.bookingById(app.platform.db, bookingId))!;
  expect([row.message, row.reason]).toEqual(['from elsewhere', 'mine']);
});

test('every column that the unit reads and writes comes out as it went in', async () => {
  const { rideId, requestId, bookingId } = await asked('four');
  await app.platform.transact(async (tx) => {
    await store.lockRide(tx, rideId);
    const unit = unitOf(tx)!;
    const [booking] = await tx.select().from(bookings).where(eq(bookings.id, bookingId));
    const [ride] = await tx.select().from(rides).where(eq(rides.id, rideId));
    expect(unit.booking(bookingId)).toEqual(booking);
    expect(unit.ride(rideId)).toEqual(ride);
    expect(unit.request(requestId)).toEqual((await store.requestsByIds(tx, [requestId]))[0]);
    expect(unit.stops(rideId)).toEqual(await store.stopsOf(app.platform.db, [rideId]));
  });
});

test('asks on other rides that came to nothing are not locked, and still shown with the answer', async () => {
  const { rideId, requestId, bookingId } = await asked('six');
  const passengerId = (await store.requestsByIds(app.platform.db, [requestId]))[0]!.passengerId;
  const { bookings: calls } = app.features.orders;
  await calls.withdraw(bookingId, passengerId);
  const other = await publishRide(app, await app.person('Kim seven'));
  const { order } = await calls.ask(passengerId, { rideId: other.id, requestId, message: '' });
  expect(order.bookings.map(({ rideId: id, state }) => [id, state])).toEqual([
    [rideId, 'cancel'],
    [other.id, 'requesting'],
  ]);
  await app.platform.transact(async (tx) => {
    await store.lockRide(tx, other.id, [requestId]);
    const unit = unitOf(tx)!;
    expect(unit.bookingsOfRequests([requestId])!.map(({ rideId: id }) => id)).toEqual([other.id]);
  });
});
