import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '#contract/rides/endpoints.ts';
import type { Candidate, Request, Ride } from '#contract/rides/views.ts';
import { greatCircleMetres } from '#roads/graph/geometry.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';

let app: TestApp;
let driver: TestPerson;
let passenger: TestPerson;
let ride: Ride;
let request: Request;
let candidate: Candidate;
const home = { name: '12 Somebody’s Lane', detail: 'Santa Cruz' };

beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T15:00:00Z') });
  driver = await app.person('Dora');
  passenger = await app.person('Paul');
  ride = await publishRide(app, driver, { from: spots.westside, to: spots.aptos });
  // Tries streets near the route; uses the first from which walking to a meeting point is better.
  for (let step = 0; step < 60; step++) {
    const from = { ...home, lon: -122.02 + (step % 10) * 0.006, lat: 36.966 + Math.floor(step / 10) * 0.004 };
    const window = {
      earliestAt: new Date(Date.parse(ride.departsAt) - 20 * 60_000).toISOString(),
      latestAt: new Date(Date.parse(ride.departsAt) + 60 * 60_000).toISOString(),
    };
    const draft = { from, to: spots.aptos, ...window, seats: 1, offerCents: null, walkMetres: 800 };
    request = await publishRequest(app, passenger, draft);
    const { candidates } = await app.ok(passenger, calls.match, { id: request.id });
    const [found] = candidates.filter(({ pickup }) => pickup.walkMetres > 150);
    if (found !== undefined) {
      candidate = found;
      return;
    }
    await app.ok(passenger, calls.cancelOrder, { id: request.id });
  }
  throw new Error('nobody is met on the way');
});
afterAll(() => app.close());

const metresFromHome = (at: { lon: number; lat: number }) => greatCircleMetres(at, request.from);

test('a passenger is met on the way where that saves the driver time, within their walk', () => {
  const { pickup } = candidate;
  expect(pickup.approximate).toBe(false);
  expect(pickup.walkMetres).toBeLessThanOrEqual(800);
  expect(pickup.name).not.toBe(home.name);
  expect(metresFromHome(pickup)).toBeGreaterThan(50);
  // On foot first.
  const readyMs = Date.parse(request.earliestAt) + pickup.walkMetres * 750;
  expect(Date.parse(pickup.at)).toBeGreaterThanOrEqual(readyMs);
  expect(candidate.reasons).toContainEqual({
    kind: 'walk',
    metres: pickup.walkMetres + candidate.dropoff.walkMetres,
  });
});

test('one match alone is the one of the list, for either side, and null where the two do not fit', async () => {
  const pair = (who: TestPerson, id: string, otherId: string) =>
    app.ok(who, calls.matchPair, { id, otherId });
  expect((await pair(passenger, request.id, ride.id)).candidate).toEqual(candidate);
  const { candidates } = await app.ok(driver, calls.match, { id: ride.id });
  expect((await pair(driver, ride.id, request.id)).candidate).toEqual(
    candidates.find((each) => each.request?.id === request.id),
  );
  const tooLate = new Date(Date.parse(ride.departsAt) + 5 * 3_600_000).toISOString();
  const other = await publishRide(app, await app.person('Ole'), { departsAt: tooLate });
  expect(await pair(passenger, request.id, other.id)).toEqual({ candidate: null });
  expect(await app.call(driver, calls.matchPair, { id: request.id, otherId: ride.id })).toMatchObject({
    code: 404,
  });
});

test('with no wish to walk they are fetched at the door, and the driver’s detour is longer', async () => {
  const atTheDoor = await app.ok(passenger, calls.match, {
    fromLon: request.from.lon,
    fromLat: request.from.lat,
    toLon: request.to.lon,
    toLat: request.to.lat,
    earliestAt: request.earliestAt,
    latestAt: request.latestAt,
    seats: 1,
    walkMetres: 0,
  });
  for (const door of atTheDoor.candidates) {
    expect(metresFromHome(door.pickup)).toBeLessThan(100);
    expect(door.detourSeconds).toBeGreaterThan(candidate.detourSeconds);
  }
});

test('the map draws the walk for the passenger, and nothing of it for a driver who does not know them yet', async () => {
  const pair = { rideId: ride.id, requestId: request.id };
  const own = await app.ok(passenger, calls.matchMap, pair);
  const [walk] = own.walks;
  expect(metresFromHome(toPlace(walk![0]!))).toBeLessThan(60);
  expect(greatCircleMetres(toPlace(walk!.at(-1)!), candidate.pickup)).toBeLessThan(5);
  expect(own.pickup).toEqual({ lon: candidate.pickup.lon, lat: candidate.pickup.lat });
  const theirs = await app.ok(driver, calls.matchMap, pair);
  expect(theirs.walks).toEqual([]);
  expect(theirs.pickup).not.toEqual(own.pickup);
});

test('what was agreed when one asked the other stands when they join: the place, the walk and the stop', async () => {
  await app.ok(passenger, calls.askToJoin, { rideId: ride.id, requestId: request.id });
  const asked = (await app.ok(passenger, calls.orderDetail, { id: request.id })).order as Request;
  const booking = asked.bookings[0]!;
  expect(booking.pickup).toMatchObject({
    name: candidate.pickup.name,
    lon: candidate.pickup.lon,
    lat: candidate.pickup.lat,
    walkMetres: candidate.pickup.walkMetres,
  });
  // A limit lowered afterwards does not move a place that both know of.
  await app.pool.query('update requests set walk_metres = 0 where id = $1', [request.id]);
  await app.ok(driver, calls.accept, { bookingId: booking.id });
  const joined = (await app.ok(driver, calls.orderDetail, { id: ride.id })).order as Ride;
  const stop = joined.stops.find(({ kind }) => kind === 'pickup')!;
  expect(stop).toMatchObject({ lon: candidate.pickup.lon, lat: candidate.pickup.lat });
  expect(stop.place).toMatchObject({ name: candidate.pickup.name, approximate: false });
  expect(Date.parse(stop.at)).toBeGreaterThanOrEqual(
    Date.parse(request.earliestAt) + candidate.pickup.walkMetres * 750,
  );
});

const toPlace = ([lon, lat]: [number, number]) => ({ lon, lat });
