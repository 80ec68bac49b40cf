import { afterAll, beforeEach, expect, test } from 'vitest';
import { tellLocation, whereIsCar } from '#contract/trips/endpoints.ts';
import {
  accept,
  arrive,
  askToJoin,
  confirmMeeting,
  depart,
  match,
  orderDetail,
  passStop,
  pickUp,
  reach,
} from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { ridePositions } from '../../schema/trips.ts';
import { openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

let fixture: AccessFixture;
const here = (at: { lon: number; lat: number }) => ({ id: fixture.ride.id, lon: at.lon, lat: at.lat });
const told = () => app.platform.db.select().from(ridePositions);

beforeEach(async () => {
  fixture = await openAccessFixture(app, 'departed');
});

test('the passenger who waits sees the car, and when it comes, recomputed as it moves', async () => {
  const { driver, passenger } = fixture.people;
  app.clock.advance(5000);
  const first = await app.ok(driver, tellLocation, here(spots.westside));
  expect(first.position.arrivals.map(({ kind }) => kind)).toEqual(['pickup', 'dropoff', 'end']);
  const seen = (await app.ok(passenger, whereIsCar, { id: fixture.ride.id })).position!;
  expect(seen).toMatchObject({ lon: spots.westside.lon, lat: spots.westside.lat });
  expect(seen.arrivals).toEqual(first.position.arrivals);
  const pickupAt = Date.parse(seen.arrivals[0]!.at);
  expect(pickupAt).toBeGreaterThan(app.clock.now().getTime() + 60_000);

  app.clock.advance(5000);
  const pickup = fixture.ride.bookings[0]?.pickup ?? spots.downtown;
  const near = await app.ok(driver, tellLocation, here(pickup));
  expect(Date.parse(near.position.arrivals[0]!.at)).toBeLessThan(pickupAt);
});

test('at most one position in two seconds, and none of them is stored', async () => {
  const { driver } = fixture.people;
  app.clock.advance(60_000);
  await app.ok(driver, tellLocation, here(spots.westside));
  expect(await app.call(driver, tellLocation, here(spots.campus))).toMatchObject({
    code: 429,
    reason: 'rate.limited',
  });
  expect((await told()).find(({ rideId }) => rideId === fixture.ride.id)).toMatchObject({
    lon: spots.westside.lon,
  });
  app.clock.advance(2001);
  await app.ok(driver, tellLocation, here(spots.campus));
});

test('nobody else learns it, and nobody but the driver tells it', async () => {
  const { driver, contact, stranger, passenger } = fixture.people;
  app.clock.advance(60_000);
  await app.ok(driver, tellLocation, here(spots.westside));
  for (const person of [contact, stranger])
    expect(await app.call(person, whereIsCar, { id: fixture.ride.id })).toMatchObject({ code: 404 });
  expect(await app.call(passenger, tellLocation, here(spots.westside))).toMatchObject({ code: 404 });
  expect(await app.call(driver, tellLocation, { ...here(spots.westside), lat: 91 })).toMatchObject({
    code: 422,
    data: { fields: { lat: expect.any(String) } },
  });
});

test('it is gone when the ride has ended', async () => {
  const { driver, passenger } = fixture.people;
  const { ride, bookingId } = fixture;
  app.clock.advance(60_000);
  await app.ok(driver, tellLocation, here(spots.westside));
  await app.ok(driver, reach, { id: ride.id, bookingId, reason: 'It is here' });
  await app.ok(driver, pickUp, { bookingId });
  await app.ok(passenger, confirmMeeting, { bookingId });
  app.clock.advance(3000);
  expect((await app.ok(driver, tellLocation, here(spots.capitola))).position.arrivals[0]!.kind).toBe(
    'dropoff',
  );
  await app.ok(driver, arrive, { id: ride.id });
  expect((await app.ok(passenger, whereIsCar, { id: ride.id })).position).toBeNull();
  expect(await app.call(driver, tellLocation, here(spots.aptos))).toMatchObject({
    code: 409,
    reason: 'order.notUnderWay',
  });
  app.clock.advance(2000);
  await app.scheduler.tick();
  expect((await told()).filter(({ rideId }) => rideId === ride.id)).toEqual([]);
});

test('before the day of the ride nobody is asked where they are', async () => {
  const early = await openAccessFixture(app, 'joined');
  expect(
    await app.call(early.people.driver, tellLocation, {
      lon: spots.westside.lon,
      lat: spots.westside.lat,
      id: early.ride.id,
    }),
  ).toMatchObject({ code: 409, reason: 'order.notUnderWay' });
  expect((await app.ok(early.people.passenger, whereIsCar, { id: early.ride.id })).position).toBeNull();
  expect(await app.call(early.people.driver, depart, { id: early.ride.id })).toMatchObject({ code: 409 });
});

test('a stop of the driver’s own is part of the route and of the day, until they have left it', async () => {
  const [driver, passenger] = [await app.person('Dora'), await app.person('Pau')];
  const departsAt = new Date(app.clock.now().getTime() + 5 * 3_600_000);
  const at = (minutes: number) => new Date(departsAt.getTime() + minutes * 60_000).toISOString();
  const direct = await publishRide(app, await app.person('Straight'), {
    departsAt: at(0),
    maxDetourMinutes: 5,
  });
  const ride = await publishRide(app, driver, {
    departsAt: at(0),
    via: [spots.campus, spots.soquel],
    maxDetourMinutes: 5,
  });
  expect(ride.driveSeconds).toBeGreaterThan(direct.driveSeconds + 120);
  expect(ride.stops.map(({ kind, place }) => [kind, place.name])).toEqual([
    ['start', spots.westside.name],
    ['via', spots.campus.name],
    ['via', spots.soquel.name],
    ['end', spots.aptos.name],
  ]);
  // From the campus to Capitola: on the route of the driver who stops there, far off the other's.
  const request = await publishRequest(app, passenger, {
    from: spots.campus,
    earliestAt: at(-10),
    latestAt: at(40),
  });
  const { candidates } = await app.ok(passenger, match, { id: request.id });
  expect(candidates.map((each) => each.ride.id)).toEqual([ride.id]);
  expect(candidates[0]!.ride.via).toMatchObject([{ approximate: true }, { approximate: true }]);
  const asked = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = asked.order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  const now = async () => (await app.ok(driver, orderDetail, { id: ride.id })).order as Ride;

  app.clock.moveTo(new Date(Date.parse((await now()).departsAt)));
  await app.scheduler.tick();
  const reason = 'It is here';
  await app.ok(driver, reach, { id: ride.id, reason });
  expect(await app.call(driver, passStop, { id: ride.id, stop: 1 })).toMatchObject({ code: 409 });
  await app.ok(driver, depart, { id: ride.id });
  const tell = () => app.ok(driver, tellLocation, { id: ride.id, ...lonLat(spots.westside) });
  const ahead = async () => {
    app.clock.advance(2500);
    return (await tell()).position.arrivals.map(({ kind }) => kind);
  };
  const agreed = (await now()).stops.map(({ kind }) => kind);
  expect(await ahead()).toEqual(agreed.slice(1));
  for (let twice = 0; twice < 2; twice++) await app.ok(driver, passStop, { id: ride.id, stop: 1 });
  expect((await ahead()).filter((kind) => kind === 'via')).toHaveLength(1);
  expect((await now()).stops.filter(({ kind }) => kind === 'via').map(({ passed }) => passed)).toEqual([
    true,
    false,
  ]);
  expect(await app.call(driver, passStop, { id: ride.id, stop: 3 })).toMatchObject({ code: 409 });
  await app.ok(driver, reach, { id: ride.id, bookingId, reason });
  await app.ok(driver, pickUp, { bookingId });
  await app.ok(passenger, confirmMeeting, { bookingId });
  await app.ok(driver, passStop, { id: ride.id, stop: 2 });
  await app.ok(driver, arrive, { id: ride.id });
});

const lonLat = ({ lon, lat }: { lon: number; lat: number }) => ({ lon, lat });

test('of two positions told at the same moment the first is stored, whoever else tells one then', async () => {
  app.clock.advance(60_000);
  const { driver, stranger } = fixture.people;
  const [ofStranger, first, second] = await Promise.all([
    app.call(stranger, tellLocation, here(spots.aptos)),
    app.call(driver, tellLocation, here(spots.westside)),
    app.call(driver, tellLocation, here(spots.campus)),
  ]);
  expect(ofStranger.code).toBe(404);
  // The server decides which of the two comes first.
  const [taken, refused] = first.code === 200 ? [spots.westside, second] : [spots.campus, first];
  expect([first.code, second.code]).toEqual(expect.arrayContaining([200, 429]));
  expect(refused).toMatchObject({ code: 429, reason: 'rate.limited' });
  const stored = (await told()).filter(({ rideId }) => rideId === fixture.ride.id);
  expect(stored).toEqual([expect.objectContaining({ lon: taken.lon })]);
});
