import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askToJoin, withdraw } from '#contract/rides/endpoints.ts';
import { bookings, rides } from '../../../schema/rides.ts';
import { publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { withdrawBooking } from '../bookings/close-booking.ts';
import { askToJoin as askForSeat } from '../bookings/open-booking.ts';
import { bySystem, orderEdited } from '../decide/move-log.ts';
import { stopsWithWindows } from '../queries.ts';
import * as store from '../store.ts';
import { changeOrders } from './locked-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function asked(detail: string) {
  const [driver, passenger] = [await app.person(`Kim ${detail}`), await app.person(`Mia ${detail}`)];
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return { rideId: ride.id, requestId: request.id, bookingId: order.bookings[0]!.id, passenger };
}

test('what is changed is there for statements of the transaction, and saved by its end', async () => {
  const { rideId, requestId, bookingId } = await asked('one');
  await changeOrders(app.platform, 'test', async (orders) => {
    await orders.lockRide(rideId);
    orders.changeBooking(bookingId, { reason: 'in memory' });
    expect(orders.bookingsOfRequest(requestId)[0]!.reason).toBe('in memory');
    const db = await orders.db();
    const [row] = await db.select().from(bookings).where(eq(bookings.id, bookingId));
    expect(row!.reason).toBe('in memory');
    // A statement that changes the same rows: they are loaded again.
    const own = await orders.dbForOrders();
    await own.update(bookings).set({ reason: 'by a statement' }).where(eq(bookings.id, bookingId));
    await orders.lockRide(rideId);
    expect(orders.bookingsOfRequest(requestId)[0]!.reason).toBe('by a statement');
    orders.changeBooking(bookingId, { reason: 'at the end' });
  });
  expect((await store.bookingById(app.platform.db, bookingId))!.reason).toBe('at the end');
});

test('what a savepoint undoes is undone in memory too, with its history and signals', async () => {
  const { rideId, requestId, bookingId } = await asked('two');
  const history = async () => (await store.historyOf(app.platform.db, { rideId })).length;
  const before = await history();
  await changeOrders(app.platform, 'test', async (orders) => {
    const ride = (await orders.lockRide(rideId))!;
    orders.changeBooking(bookingId, { reason: 'before' });
    const undone = orders.inSavepoint(async () => {
      orders.changeBooking(bookingId, { reason: 'undone' });
      orderEdited(app.platform, orders, { ride }, { by: bySystem, what: 'terms' });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    await orders.lockRide(rideId);
    expect(orders.bookingsOfRequest(requestId)[0]!.reason).toBe('before');
  });
  expect((await store.bookingById(app.platform.db, bookingId))!.reason).toBe('before');
  expect(await history()).toBe(before);
});

test('a booking that changed past the lock is loaded and done again', async () => {
  const { rideId, bookingId } = await asked('three');
  let tries = 0;
  await changeOrders(app.platform, 'test', async (orders) => {
    await orders.lockRide(rideId);
    if (tries++ === 0)
      await app.pool.query('update bookings set version = version + 1, message = $1 where id = $2', [
        'from elsewhere',
        bookingId,
      ]);
    orders.changeBooking(bookingId, { reason: 'mine' });
  });
  expect(tries).toBe(2);
  const row = (await store.bookingById(app.platform.db, bookingId))!;
  expect([row.message, row.reason]).toEqual(['from elsewhere', 'mine']);
});

test('every column that is loaded and saved comes out as it went in', async () => {
  const { rideId, requestId, bookingId } = await asked('four');
  await changeOrders(app.platform, 'test', async (orders) => {
    await orders.lockRide(rideId);
    const db = await orders.db();
    const [booking] = await db.select().from(bookings).where(eq(bookings.id, bookingId));
    const [ride] = await db.select().from(rides).where(eq(rides.id, rideId));
    expect(orders.booking(bookingId)).toEqual(booking);
    expect(orders.ride(rideId)).toEqual(ride);
    expect(orders.request(requestId)).toEqual((await store.requestsByIds(db, [requestId]))[0]);
    expect(orders.stops(rideId)).toEqual(await store.stopsOf(app.platform.db, [rideId]));
    expect(orders.stopsWithWindows(rideId)).toMatchObject(await stopsWithWindows(db, [rideId]));
  });
});

test('asks on other rides that came to nothing are not locked, and still shown with the answer', async () => {
  const { rideId, requestId, bookingId } = await asked('six');
  const passengerId = (await store.requestsByIds(app.platform.db, [requestId]))[0]!.passengerId;
  await withdrawBooking(app.platform, bookingId, passengerId);
  const other = await publishRide(app, await app.person('Kim seven'));
  const { order } = await askForSeat(app.platform, passengerId, { rideId: other.id, requestId, message: '' });
  expect(order.bookings.map(({ rideId: id, state }) => [id, state])).toEqual([
    [rideId, 'cancel'],
    [other.id, 'requesting'],
  ]);
  await changeOrders(app.platform, 'test', async (orders) => {
    await orders.lockRide(other.id, [requestId]);
    expect(orders.bookingsOfRequest(requestId).map(({ rideId: id }) => id)).toEqual([other.id]);
  });
});

test('a booking opens again while another one of the same ride and request ends', async () => {
  const { rideId, requestId, bookingId, passenger } = await asked('again');
  await app.ok(passenger, withdraw, { bookingId });
  const { order } = await app.ok(passenger, askToJoin, { rideId, requestId });
  const other = order.bookings.find(({ id }) => id !== bookingId)!.id;
  await changeOrders(app.platform, 'test', async (orders) => {
    await orders.lockRide(rideId);
    orders.changeBooking(bookingId, { state: 'requesting', endedAt: null });
    orders.changeBooking(other, { state: 'cancel', endedAt: app.clock.now() });
  });
  expect((await store.bookingById(app.platform.db, bookingId))!.state).toBe('requesting');
});
