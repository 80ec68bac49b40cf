import { afterAll, beforeEach, expect, test } from 'vitest';
import { tellLocation, whereIsCar } from '#contract/journeys/endpoints.ts';
import { arrive, confirmMeeting, depart, pickUp, reach } from '#contract/rides/endpoints.ts';
import { ridePositions } from '../../tables/journeys.ts';
import { setStage, type Stage } from '../../testing/access-stage.ts';
import { openTestHouse } from '../../testing/house.ts';
import { spots } from '../../testing/orders.ts';

const house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => house.close());

let stage: Stage;
const here = (at: { lon: number; lat: number }) => ({ id: stage.ride.id, lon: at.lon, lat: at.lat });
const told = () => house.base.db.select().from(ridePositions);

beforeEach(async () => {
  stage = await setStage(house, 'departed');
});

test('the passenger who waits sees the car, and when it comes, recomputed as it moves', async () => {
  const { driver, passenger } = stage.people;
  house.clock.advance(5000);
  const first = await house.ok(driver, tellLocation, here(spots.westside));
  expect(first.position.arrivals.map(({ kind }) => kind)).toEqual(['pickup', 'dropoff', 'end']);
  const seen = (await house.ok(passenger, whereIsCar, { id: stage.ride.id })).position!;
  expect(seen).toMatchObject({ lon: spots.westside.lon, lat: spots.westside.lat });
  expect(seen.arrivals).toEqual(first.position.arrivals);
  const pickupAt = Date.parse(seen.arrivals[0]!.at);
  expect(pickupAt).toBeGreaterThan(house.clock.now().getTime() + 60_000);

  house.clock.advance(5000);
  const pickup = stage.ride.bookings[0]?.pickup ?? spots.downtown;
  const near = await house.ok(driver, tellLocation, here(pickup));
  expect(Date.parse(near.position.arrivals[0]!.at)).toBeLessThan(pickupAt);
});

test('at most one position in two seconds, and none of them is stored', async () => {
  const { driver } = stage.people;
  house.clock.advance(60_000);
  await house.ok(driver, tellLocation, here(spots.westside));
  expect(await house.call(driver, tellLocation, here(spots.campus))).toMatchObject({
    code: 429,
    reason: 'rate.limited',
  });
  expect((await told()).find(({ rideId }) => rideId === stage.ride.id)).toMatchObject({
    lon: spots.westside.lon,
  });
  house.clock.advance(2001);
  await house.ok(driver, tellLocation, here(spots.campus));
});

test('nobody else learns it, and nobody but the driver tells it', async () => {
  const { driver, contact, stranger, passenger } = stage.people;
  house.clock.advance(60_000);
  await house.ok(driver, tellLocation, here(spots.westside));
  for (const person of [contact, stranger])
    expect(await house.call(person, whereIsCar, { id: stage.ride.id })).toMatchObject({ code: 404 });
  expect(await house.call(passenger, tellLocation, here(spots.westside))).toMatchObject({ code: 404 });
  expect(await house.call(driver, tellLocation, { ...here(spots.westside), lat: 91 })).toMatchObject({
    code: 422,
    data: { fields: { lat: expect.any(String) } },
  });
});

test('it is gone when the ride has ended', async () => {
  const { driver, passenger } = stage.people;
  const { ride, bookingId } = stage;
  house.clock.advance(60_000);
  await house.ok(driver, tellLocation, here(spots.westside));
  await house.ok(driver, reach, { id: ride.id, bookingId });
  await house.ok(driver, pickUp, { bookingId });
  await house.ok(passenger, confirmMeeting, { bookingId });
  house.clock.advance(3000);
  expect((await house.ok(driver, tellLocation, here(spots.capitola))).position.arrivals[0]!.kind).toBe(
    'dropoff',
  );
  await house.ok(driver, arrive, { id: ride.id });
  expect((await house.ok(passenger, whereIsCar, { id: ride.id })).position).toBeNull();
  expect(await house.call(driver, tellLocation, here(spots.aptos))).toMatchObject({
    code: 409,
    reason: 'order.notUnderWay',
  });
  house.clock.advance(2000);
  await house.timers.tick();
  expect((await told()).filter(({ rideId }) => rideId === ride.id)).toEqual([]);
});

test('before the day of the ride nobody is asked where they are', async () => {
  const early = await setStage(house, 'joined');
  expect(
    await house.call(early.people.driver, tellLocation, {
      lon: spots.westside.lon,
      lat: spots.westside.lat,
      id: early.ride.id,
    }),
  ).toMatchObject({ code: 409, reason: 'order.notUnderWay' });
  expect((await house.ok(early.people.passenger, whereIsCar, { id: early.ride.id })).position).toBeNull();
  expect(await house.call(early.people.driver, depart, { id: early.ride.id })).toMatchObject({ code: 409 });
});
