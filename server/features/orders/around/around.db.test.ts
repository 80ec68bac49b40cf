import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ride } from '#contract/rides/views.ts';
import { bookings } from '../../../schema/rides.ts';
import { requestOf, rideOf } from '../../../testing/booking-plans.ts';
import { statementsOf } from '../../../testing/booking-statements.ts';
import { newPerson } from '../../../testing/people.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { createOrder } from '../order-commands.ts';
import { askToJoin } from '../bookings/open-booking.ts';
import { cancelOrder } from '../bookings/cancel-order.ts';
import { viewOrder, rideViews, requestViews } from '../order-views.ts';
import { rideById, requestById } from '../store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A ride that passengers have joined at once, and canceled one after another; oldest first. */
async function rideWithCancellations(count: number) {
  const departsAt = later(app.clock.now(), 40 * hourMs);
  const driver = await newPerson(app.platform, 'Driver');
  const ride = await createOrder(
    app.platform,
    driver.id,
    rideOf({ departsAt, vehicleId: null, isInstant: true }),
  );
  const canceled: { bookingId: string; requestId: string; passengerId: string }[] = [];
  for (let place = 0; place < count; place++) {
    const passengerId = (await newPerson(app.platform, `Passenger ${place}`)).id;
    const { id: requestId } = await createOrder(app.platform, passengerId, requestOf(departsAt));
    const { order } = await askToJoin(app.platform, passengerId, { rideId: ride.id, requestId, message: '' });
    await cancelOrder(app.platform, passengerId, { id: requestId, reason: '' });
    canceled.push({ bookingId: order.bookings[0]!.id, requestId, passengerId });
  }
  return { rideId: ride.id, driverId: driver.id, canceled };
}

const bookingsOf = async (rideId: string, viewerId: string) =>
  ((await viewOrder(app.platform, rideId, viewerId)) as Ride).bookings.map(({ id }) => id);

test('of those who canceled without a fee a ride shows the latest, and a passenger their own', async () => {
  const { rideId, driverId, canceled } = await rideWithCancellations(8);
  const ids = canceled.map(({ bookingId }) => bookingId);
  expect(await bookingsOf(rideId, driverId)).toEqual(ids.slice(-5));

  const first = canceled[0]!;
  expect(await bookingsOf(rideId, first.passengerId)).toEqual([first.bookingId]);
  const own = await viewOrder(app.platform, first.requestId, first.passengerId);
  expect(own.bookings.map(({ id }) => id)).toEqual([first.bookingId]);

  await app.platform.db.update(bookings).set({ lateFeeCents: 500 }).where(eq(bookings.id, ids[1]!));
  expect(await bookingsOf(rideId, driverId)).toEqual([ids[1], ...ids.slice(-5)]);
});

test('what a view needs beside its order is read by one statement, however many bookings it has', async () => {
  // The others find the order, and say whether the person may see it.
  const most = 4;
  const few = await rideWithCancellations(1);
  const many = await rideWithCancellations(4);
  const statements = async ({ rideId, driverId }: { rideId: string; driverId: string }) =>
    (await statementsOf(() => viewOrder(app.platform, rideId, driverId))).length;
  expect(await statements(many)).toBe(await statements(few));
  expect(await statements(many)).toBeLessThanOrEqual(most);
});

test('each view shows what its viewer alone sees', async () => {
  const { rideId, driverId, canceled } = await rideWithCancellations(7);
  const departsAt = later(app.clock.now(), 40 * hourMs);
  const joined = (await newPerson(app.platform, 'Joined')).id;
  const stranger = (await newPerson(app.platform, 'Stranger')).id;
  const { id: requestId } = await createOrder(app.platform, joined, requestOf(departsAt));
  await askToJoin(app.platform, joined, { rideId, requestId, message: 'At the blue door' });
  const [first, second] = [canceled[0]!, canceled[1]!];

  const ride = (await rideById(app.platform.db, rideId))!;
  const [ofFirst, ofSecond] = await Promise.all([
    requestById(app.platform.db, first.requestId),
    requestById(app.platform.db, second.requestId),
  ]);
  const [[ofDriver], [ofJoined], [ofCanceled], [ofStranger], [ofGuest]] = await Promise.all([
    rideViews(app.platform, [ride], driverId),
    rideViews(app.platform, [ride], joined),
    rideViews(app.platform, [ride], first.passengerId),
    rideViews(app.platform, [ride], stranger),
    rideViews(app.platform, [ride], null),
  ]);
  const ofRequests = await requestViews(app.platform, [ofFirst!, ofSecond!], first.passengerId);

  // The driver sees the latest five, a passenger their own, others none.
  const latest = [...canceled.slice(-4).map(({ passengerId }) => passengerId), joined];
  expect(ofDriver!.bookings.map(({ passenger }) => passenger.id)).toEqual(latest);
  expect(ofJoined!.bookings.map(({ passenger }) => passenger.id)).toEqual([joined]);
  expect(ofCanceled!.bookings.map(({ id }) => id)).toEqual([first.bookingId]);
  expect([ofStranger!.bookings, ofGuest!.bookings]).toEqual([[], []]);
  expect(ofRequests.map((view) => view.bookings.length)).toEqual([1, 0]);
});
