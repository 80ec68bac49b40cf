import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { suspendUser } from '#contract/admin/endpoints.ts';
import { accept, askToJoin, cancelOrder, discover, invite, match } from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { movedOn } from '../../../platform/refusal.ts';
import { requests } from '../../../schema/rides.ts';
import { publishRequest, publishRide, spots } from '../../../testing/orders.ts';
import { openTestApp, type TestPerson } from '../../../testing/test-app.ts';
import { takeBackOrders } from '../../moderation/admin/suspend-user.ts';
import { bookingsOf } from '../store.ts';

// Signals are not delivered in this file: what follows a suspension by a signal has not happened yet.
const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

let admin: TestPerson;
let driver: TestPerson;
let passenger: TestPerson;
let ride: Ride;
let request: Request;
beforeEach(async () => {
  admin = await app.person('Ada', { isAdmin: true });
  driver = await app.person('Dan');
  passenger = await app.person('Pia');
  ride = await publishRide(app, driver, { instant: true });
  request = await publishRequest(app, passenger);
});
const suspend = ({ id }: TestPerson) => app.ok(admin, suspendUser, { id, suspended: true, reason: 'Safety' });

test('a suspended driver is found by nobody and joined by nobody from the same moment', async () => {
  const found = async () => {
    const { candidates } = await app.ok(passenger, match, { id: request.id });
    return candidates.some((each) => each.ride.id === ride.id);
  };
  const listed = async (who: TestPerson | null) => {
    const { orders } = await app.ok(who, discover, { lon: spots.westside.lon, lat: spots.westside.lat });
    return orders.some(({ id }) => id === ride.id);
  };
  expect(await found()).toBe(true);
  expect(await listed(passenger)).toBe(true);
  expect(await listed(null)).toBe(true);
  await suspend(driver);
  expect(await found()).toBe(false);
  expect(await listed(passenger)).toBe(false);
  expect(await listed(null)).toBe(false);
  const ids = { rideId: ride.id, requestId: request.id };
  expect(await app.call(passenger, askToJoin, ids)).toMatchObject({ code: 404, reason: 'order.notFound' });
});

test('an ask or an invitation of somebody who is suspended is accepted by nobody', async () => {
  const other = await app.person('Olga');
  const slow = await publishRide(app, other);
  const asked = await app.ok(passenger, askToJoin, { rideId: slow.id, requestId: request.id });
  const [booking] = asked.order.bookings;
  await suspend(passenger);
  expect(await app.call(other, accept, { bookingId: booking!.id })).toMatchObject({
    code: 409,
    reason: 'request.closed',
  });

  const guest = await app.person('Gus');
  const wish = await publishRequest(app, guest);
  const invited = await app.ok(driver, invite, { rideId: ride.id, requestId: wish.id });
  const place = invited.order.bookings.find(({ requestId }) => requestId === wish.id)!;
  await suspend(driver);
  expect(await app.call(guest, accept, { bookingId: place.id })).toMatchObject({
    code: 409,
    reason: 'ride.closed',
  });
});

test('a suspended passenger is offered to no driver', async () => {
  const found = async () => {
    const { candidates } = await app.ok(driver, match, { id: ride.id });
    return candidates.some((each) => each.request?.id === request.id);
  };
  expect(await found()).toBe(true);
  await suspend(passenger);
  expect(await found()).toBe(false);
});

test('a suspended passenger whose driver cancels looks for no other ride', async () => {
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const [joined] = await bookingsOf(app.platform.db, { requestIds: [request.id] });
  expect(joined!.state).toBe('joined');
  await suspend(passenger);
  await app.ok(driver, cancelOrder, { id: ride.id, bookingId: joined!.id, reason: 'The car broke down' });
  const [row] = await app.platform.db.select().from(requests).where(eq(requests.id, request.id));
  expect(row?.state).toBe('cancel');
});

test('an order that moves at the moment of the suspension is taken back all the same', async () => {
  await suspend(passenger);
  const moving = vi
    .spyOn(app.platform, 'transact')
    .mockRejectedValueOnce(movedOn('order.moved', 'This request just changed.'));
  await takeBackOrders(app.platform, passenger.id);
  expect(moving).toHaveBeenCalledTimes(2);
  moving.mockRestore();
  const [row] = await app.platform.db.select().from(requests).where(eq(requests.id, request.id));
  expect(row?.state).toBe('cancel');
});
