import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockPerson } from '#contract/contacts/endpoints.ts';
import { accept, askToJoin, invite, match, discover, orderDetail } from '#contract/rides/endpoints.ts';
import { listReviews } from '#contract/reviews/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { reviews } from '../../schema/reviews.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../testing/house.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';

let house: TestHouse;
let driver: TestPerson;
let passenger: TestPerson;
let ride: Ride;
let request: Request;
beforeAll(async () => {
  house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => house.close());

async function newPair(): Promise<void> {
  [driver, passenger] = [await house.person('Driver'), await house.person('Passenger')];
  ride = await publishRide(house, driver, { maxDetourMinutes: 15 });
  request = await publishRequest(house, passenger);
}

const openAsk = async () => {
  const { order } = await house.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return order.bookings.find((booking) => booking.rideId === ride.id)!.id;
};
const near = { lon: spots.downtown.lon, lat: spots.downtown.lat };

test('a block hides rides and requests from each other at once, whoever set it', async () => {
  for (const side of ['driver', 'passenger'] as const) {
    await newPair();
    const [blocker, blocked] = side === 'driver' ? [driver, passenger] : [passenger, driver];
    const idsNear = async (who: TestPerson) => {
      const found = await house.ok(who, discover, near);
      return found.orders.map(({ id }) => id);
    };
    expect(await idsNear(passenger)).toContain(ride.id);
    await house.ok(blocker, blockPerson, { id: blocked.id });
    expect(await idsNear(passenger)).not.toContain(ride.id);
    expect(await idsNear(driver)).not.toContain(request.id);
    const matches = await house.ok(passenger, match, { id: request.id });
    expect(JSON.stringify(matches)).not.toContain(ride.id);
    expect(await house.call(passenger, orderDetail, { id: ride.id })).toMatchObject({ code: 404 });
    expect(await house.call(driver, orderDetail, { id: request.id })).toMatchObject({ code: 404 });
    const ids = { rideId: ride.id, requestId: request.id };
    expect(await house.call(passenger, askToJoin, ids)).toMatchObject({ code: 404 });
    expect(await house.call(driver, invite, ids)).toMatchObject({ code: 404 });
  }
});

test('a block ends an ask that waits; the passenger looks for other rides', async () => {
  await newPair();
  const bookingId = await openAsk();
  await house.ok(driver, blockPerson, { id: passenger.id });
  // Before the news has arrived everywhere, the ask cannot be accepted either.
  expect(await house.call(driver, accept, { bookingId })).toMatchObject({ code: 404 });
  await house.deliver();
  expect(await house.call(passenger, orderDetail, { id: ride.id })).toMatchObject({ code: 404 });
  const { order } = await house.ok(passenger, orderDetail, { id: request.id });
  expect(order).toMatchObject({ state: 'matching' });
  const own = await house.ok(driver, orderDetail, { id: ride.id });
  expect(own.order.bookings.filter(({ state }) => state === 'requesting')).toEqual([]);
});

test('a ride that both have joined goes on', async () => {
  await newPair();
  await house.ok(driver, accept, { bookingId: await openAsk() });
  await house.ok(passenger, blockPerson, { id: driver.id });
  await house.deliver();
  const { order } = await house.ok(passenger, orderDetail, { id: ride.id });
  expect(order.bookings).toMatchObject([{ state: 'joined' }]);
  expect(await house.call(driver, orderDetail, { id: ride.id })).toMatchObject({ code: 200 });
});

test('what the two wrote about each other, and what others wrote about them, is hidden from each other', async () => {
  await newPair();
  const bookingId = await openAsk();
  await house.ok(driver, accept, { bookingId });
  const now = house.clock.now();
  await house.platform.db.insert(reviews).values({
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
  });
  const stranger = await house.person('Stranger');
  const wordsFor = async (who: TestPerson) =>
    (await house.ok(who, listReviews, { userId: driver.id })).reviews.map(({ words }) => words);
  expect(await wordsFor(passenger)).toEqual(['On time.']);
  await house.ok(driver, blockPerson, { id: passenger.id });
  expect(await wordsFor(passenger)).toEqual([]);
  expect(await wordsFor(driver)).toEqual([]);
  expect(await wordsFor(stranger)).toEqual(['On time.']);
});
