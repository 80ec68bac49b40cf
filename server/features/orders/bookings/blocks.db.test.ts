import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockPerson } from '#contract/contacts/endpoints.ts';
import { accept, askToJoin, invite, match, discover, orderDetail } from '#contract/rides/endpoints.ts';
import { listReviews } from '#contract/reviews/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { reviews } from '../../../schema/reviews.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../../testing/orders.ts';

let app: TestApp;
let driver: TestPerson;
let passenger: TestPerson;
let ride: Ride;
let request: Request;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

async function newPair(): Promise<void> {
  [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  ride = await publishRide(app, driver, { maxDetourMinutes: 15 });
  request = await publishRequest(app, passenger);
}

const openAsk = async () => {
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return order.bookings.find((booking) => booking.rideId === ride.id)!.id;
};
const near = { lon: spots.downtown.lon, lat: spots.downtown.lat };

test('a block hides rides and requests from each other at once, whoever set it', async () => {
  for (const side of ['driver', 'passenger'] as const) {
    await newPair();
    const [blocker, blocked] = side === 'driver' ? [driver, passenger] : [passenger, driver];
    const idsNear = async (who: TestPerson) => {
      const found = await app.ok(who, discover, near);
      return found.orders.map(({ id }) => id);
    };
    expect(await idsNear(passenger)).toContain(ride.id);
    await app.ok(blocker, blockPerson, { id: blocked.id });
    expect(await idsNear(passenger)).not.toContain(ride.id);
    expect(await idsNear(driver)).not.toContain(request.id);
    const matches = await app.ok(passenger, match, { id: request.id });
    expect(JSON.stringify(matches)).not.toContain(ride.id);
    expect(await app.call(passenger, orderDetail, { id: ride.id })).toMatchObject({ code: 404 });
    expect(await app.call(driver, orderDetail, { id: request.id })).toMatchObject({ code: 404 });
    const ids = { rideId: ride.id, requestId: request.id };
    expect(await app.call(passenger, askToJoin, ids)).toMatchObject({ code: 404 });
    expect(await app.call(driver, invite, ids)).toMatchObject({ code: 404 });
  }
});

test('a block ends an ask that waits; the passenger looks for other rides', async () => {
  await newPair();
  const bookingId = await openAsk();
  await app.ok(driver, blockPerson, { id: passenger.id });
  // Before all listeners have handled the block, the ask cannot be accepted either.
  expect(await app.call(driver, accept, { bookingId })).toMatchObject({ code: 404 });
  await app.deliver();
  expect(await app.call(passenger, orderDetail, { id: ride.id })).toMatchObject({ code: 404 });
  const { order } = await app.ok(passenger, orderDetail, { id: request.id });
  expect(order).toMatchObject({ state: 'matching' });
  const own = await app.ok(driver, orderDetail, { id: ride.id });
  expect(own.order.bookings.filter(({ state }) => state === 'requesting')).toEqual([]);
});

test('a ride that both have joined goes on', async () => {
  await newPair();
  await app.ok(driver, accept, { bookingId: await openAsk() });
  await app.ok(passenger, blockPerson, { id: driver.id });
  await app.deliver();
  const { order } = await app.ok(passenger, orderDetail, { id: ride.id });
  expect(order.bookings).toMatchObject([{ state: 'joined' }]);
  expect(await app.call(driver, orderDetail, { id: ride.id })).toMatchObject({ code: 200 });
});

test('what the two wrote about each other, and what others wrote about them, is hidden from each other', async () => {
  await newPair();
  const bookingId = await openAsk();
  await app.ok(driver, accept, { bookingId });
  const now = app.clock.now();
  await app.platform.db.insert(reviews).values({
    id: crypto.randomUUID(),
    bookingId,
    rideId: ride.id,
    authorId: passenger.id,
    subjectId: driver.id,
    stars: 5,
    tags: [],
    words: 'On time.',
    createdAt: now,
    publishedAt: now,
    publishAt: now,
  });
  const stranger = await app.person('Stranger');
  const wordsFor = async (who: TestPerson) =>
    (await app.ok(who, listReviews, { userId: driver.id })).reviews.map(({ words }) => words);
  expect(await wordsFor(passenger)).toEqual(['On time.']);
  await app.ok(driver, blockPerson, { id: passenger.id });
  expect(await wordsFor(passenger)).toEqual([]);
  expect(await wordsFor(driver)).toEqual([]);
  expect(await wordsFor(stranger)).toEqual(['On time.']);
});
