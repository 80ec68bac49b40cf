import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accept,
  askToJoin,
  cancelOrder,
  cancelPreview,
  invite,
  listOrders,
  match,
  orderDetail,
  reject,
  withdraw,
} from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { addCard, onboard } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide, spots } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

async function ask(passenger: TestPerson, ride: Ride, request: Request): Promise<string> {
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return order.bookings.find((booking) => booking.rideId === ride.id && booking.state === 'requesting')!.id;
}

async function newPair(rideFields = {}, requestFields = {}) {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver, rideFields);
  const request = await publishRequest(app, passenger, requestFields);
  return { driver, passenger, ride, request };
}

const rideOf = async (who: TestPerson, id: string) => (await app.ok(who, orderDetail, { id })).order as Ride;
const requestOf = async (who: TestPerson, id: string) =>
  (await app.ok(who, orderDetail, { id })).order as Request;

test('the last seat goes to one of two who are accepted at once', async () => {
  const driver = await app.person('Driver');
  const ride = await publishRide(app, driver, { seats: 1, maxDetourMinutes: 15 });
  const people = await Promise.all(['Ann', 'Ben'].map((name) => app.person(name)));
  const bookingIds: string[] = [];
  for (const person of people) bookingIds.push(await ask(person, ride, await publishRequest(app, person)));
  const answers = await Promise.all(bookingIds.map((bookingId) => app.call(driver, accept, { bookingId })));
  expect(answers.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const loser = answers.find((answer) => answer.code === 409)!;
  expect(loser.reason).toBe('ride.full');
  // Not full from end to end: before the pick-up and after the drop-off the seat is free, so the ride stays
  // open for others.
  expect(await rideOf(driver, ride.id)).toMatchObject({ seatsFree: 0 });
});

test('one seat serves two people in turn, when one gets out before the other gets in', async () => {
  const driver = await app.person('Driver');
  const ride = await publishRide(app, driver, {
    seats: 1,
    from: spots.westside,
    to: spots.aptos,
    maxDetourMinutes: 30,
  });
  const [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
  const first = await publishRequest(app, ann, { from: spots.westside, to: spots.soquel });
  const second = await publishRequest(app, ben, { from: spots.soquel, to: spots.aptos });
  for (const [person, request] of [
    [ann, first],
    [ben, second],
  ] as const) {
    await app.ok(driver, accept, { bookingId: await ask(person, ride, request) });
  }
  const both = await rideOf(driver, ride.id);
  expect(both.bookings.map((booking) => booking.state)).toEqual(['joined', 'joined']);
  const names = both.stops.map((stop) => `${stop.kind} ${stop.passengerName}`.trim());
  expect(names.indexOf('dropoff Ann')).toBeLessThan(names.indexOf('pickup Ben'));
});

test('joining one ride withdraws the asks at the others', async () => {
  const { driver, passenger, ride, request } = await newPair();
  const otherDriver = await app.person('Other');
  const otherRide = await publishRide(app, otherDriver);
  const bookingId = await ask(passenger, ride, request);
  await ask(passenger, otherRide, request);
  await app.ok(driver, accept, { bookingId });
  expect((await rideOf(otherDriver, otherRide.id)).bookings).toMatchObject([{ state: 'cancel' }]);
  expect((await requestOf(passenger, request.id)).state).toBe('joined');
});

test('an invitation is accepted by the passenger, declined by another', async () => {
  const { driver, passenger, ride, request } = await newPair({ maxDetourMinutes: 30 });
  const { order } = await app.ok(driver, invite, {
    rideId: ride.id,
    requestId: request.id,
    message: 'Come along',
  });
  const [booking] = order.bookings;
  expect(booking).toMatchObject({ state: 'inviting', may: ['withdrawInvitation'] });
  expect(await requestOf(passenger, request.id)).toMatchObject({ state: 'inviting', stage: 'Requesting' });
  expect((await app.call(driver, accept, { bookingId: booking!.id })).code).toBe(409);
  expect((await app.ok(passenger, accept, { bookingId: booking!.id })).booking.state).toBe('joined');

  const other = await app.person('Other');
  const otherRequest = await publishRequest(app, other);
  const again = await app.ok(driver, invite, { rideId: ride.id, requestId: otherRequest.id });
  const second = again.order.bookings.find((each) => each.state === 'inviting')!;
  expect((await app.ok(other, reject, { bookingId: second.id })).booking.state).toBe('rejected');
  expect((await requestOf(other, otherRequest.id)).state).toBe('matching');
});

test('who rides together reads how to contact the other: by e-mail only whoever asks for it', async () => {
  const wish = { contactWith: 'email', flightNumber: 'UA 328' };
  const { driver, passenger, ride, request } = await newPair({ contactWith: 'chat' }, wish);
  expect(request).toMatchObject(wish);
  const bookingId = await ask(passenger, ride, request);
  expect((await rideOf(driver, ride.id)).bookings).toMatchObject([{ email: '' }]);
  await app.ok(driver, accept, { bookingId });
  expect((await rideOf(driver, ride.id)).bookings).toMatchObject([{ email: passenger.email }]);
  expect((await requestOf(passenger, request.id)).ride).toMatchObject({ contactWith: 'chat', email: '' });
  await app.ok(passenger, cancelOrder, { id: request.id, reason: 'Ill' });
  expect((await rideOf(driver, ride.id)).bookings).toMatchObject([{ state: 'cancel', email: '' }]);

  const other = await newPair({ contactWith: 'email' }, { contactWith: 'phone' });
  const seen = async () => (await app.ok(other.passenger, orderDetail, { id: other.ride.id })).order as Ride;
  expect(await seen()).toMatchObject({ contactWith: 'email', email: '' });
  const second = await ask(other.passenger, other.ride, other.request);
  await app.ok(other.driver, accept, { bookingId: second });
  expect(await seen()).toMatchObject({ email: other.driver.email });
  expect((await rideOf(other.driver, other.ride.id)).bookings).toMatchObject([{ email: '' }]);
});

test('a rejection needs a reason; asking again is possible, asking twice at once is not', async () => {
  const { driver, passenger, ride, request } = await newPair();
  const bookingId = await ask(passenger, ride, request);
  expect(await app.call(passenger, askToJoin, { rideId: ride.id, requestId: request.id })).toMatchObject({
    code: 409,
    reason: 'booking.exists',
  });
  expect(await app.call(driver, reject, { bookingId })).toMatchObject({
    code: 422,
    data: { fields: { reason: expect.any(String) } },
  });
  await app.ok(driver, reject, { bookingId, reason: 'My car is at the garage' });
  expect(await requestOf(passenger, request.id)).toMatchObject({
    state: 'matching',
    bookings: [{ state: 'rejected', reason: 'My car is at the garage' }],
  });
  const second = await ask(passenger, ride, request);
  expect((await app.ok(passenger, withdraw, { bookingId: second })).booking.state).toBe('cancel');
});

test('asks expire after 3 hours, however far the clock jumps, and requests when their window has passed', async () => {
  const { driver, passenger, ride, request } = await newPair();
  const bookingId = await ask(passenger, ride, request);
  // An ask counts from when its email left; the email waits for two minutes.
  await app.deliver();
  app.clock.advance(2 * 60_000 + 1000);
  await app.scheduler.tick();
  await app.deliver();
  app.clock.advance(3 * 3_600_000 + 1000);
  await app.scheduler.tick();
  expect((await rideOf(driver, ride.id)).bookings).toMatchObject([{ id: bookingId, state: 'expired' }]);
  expect((await requestOf(passenger, request.id)).state).toBe('matching');
  expect((await app.call(driver, accept, { bookingId })).code).toBe(409);
  app.clock.advance(48 * 3_600_000);
  await app.scheduler.tick();
  await app.scheduler.tick();
  expect(await requestOf(passenger, request.id)).toMatchObject({ state: 'expired', stage: 'Completed' });
  expect(await rideOf(driver, ride.id)).toMatchObject({ state: 'expired', stage: 'Completed' });
});

test('a driver who cancels gives a reason, and the passenger is looking for a ride again', async () => {
  const { driver, passenger, ride, request } = await newPair();
  await app.ok(driver, accept, { bookingId: await ask(passenger, ride, request) });
  expect(await app.ok(driver, cancelPreview, { id: ride.id })).toMatchObject({
    may: true,
    joined: 1,
    withinHours: 24,
    strike: true,
    feeCents: 0,
  });
  expect(await app.call(driver, cancelOrder, { id: ride.id })).toMatchObject({
    code: 422,
    reason: 'order.reasonMissing',
  });
  const { order } = await app.ok(driver, cancelOrder, { id: ride.id, reason: 'The car broke down' });
  expect(order).toMatchObject({
    state: 'cancel',
    bookings: [{ state: 'cancel', reason: 'The car broke down' }],
  });
  expect(await requestOf(passenger, request.id)).toMatchObject({ state: 'matching', stage: 'Matching' });
  expect(await publishRide(app, driver)).toMatchObject({ state: 'matching' });
});

test('a passenger who cancels frees the seat and the time', async () => {
  const { driver, passenger, ride, request } = await newPair({ seats: 1 });
  await app.ok(driver, accept, { bookingId: await ask(passenger, ride, request) });
  const { order } = await app.ok(passenger, cancelOrder, { id: request.id, reason: 'Ill' });
  expect(order).toMatchObject({ state: 'cancel', stage: 'Completed' });
  expect(await rideOf(driver, ride.id)).toMatchObject({
    state: 'matching',
    seatsFree: 1,
    stops: [{ kind: 'start' }, { kind: 'end' }],
  });
  await publishRequest(app, passenger);
});

test('of a car’s price the most and the least are shown: alone, and with every seat taken', async () => {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const ride = await publishRide(app, driver, {
    priceKind: 'perCar',
    costCents: 1000,
    maxDetourMinutes: 45,
    vehicleId: await addVehicle(app, driver),
  });
  const fares = async () =>
    (await rideOf(driver, ride.id)).bookings
      .filter((booking) => booking.state === 'joined')
      .map((booking) => [booking.leastCents, booking.fareCents]);
  const expected: number[][] = [];
  for (const name of ['Ann', 'Ben', 'Cem']) {
    expected.push([333, 1000]);
    const person = await app.person(name);
    await addCard(app, person);
    await app.ok(driver, accept, {
      bookingId: await ask(person, ride, await publishRequest(app, person)),
    });
    expect(await fares()).toEqual(expected);
  }
  const [first] = (await rideOf(driver, ride.id)).bookings;
  await app.ok(driver, cancelOrder, { id: ride.id, bookingId: first!.id, reason: 'No room for the dog' });
  expect(await fares()).toEqual(expected.slice(1));
});

test('strangers neither see nor touch what is not theirs', async () => {
  const { driver, passenger, ride, request } = await newPair({ visibility: 'private' });
  const stranger = await app.person('Stranger');
  for (const id of [ride.id, ride.orderNumber])
    expect(await app.call(stranger, orderDetail, { id })).toMatchObject({
      code: 404,
      reason: 'order.notFound',
    });
  expect(
    (await app.ok(passenger, match, { id: request.id })).candidates.some((each) => each.ride.id === ride.id),
  ).toBe(false);
  expect(await app.call(passenger, askToJoin, { rideId: ride.id, requestId: request.id })).toMatchObject({
    code: 404,
  });
  const open = await publishRide(app, await app.person('Open'));
  const bookingId = await ask(passenger, open, request);
  for (const endpoint of [accept, withdraw])
    expect(await app.call(stranger, endpoint, { bookingId })).toMatchObject({
      code: 404,
      reason: 'booking.notFound',
    });
  expect(await app.call(passenger, accept, { bookingId })).toMatchObject({ code: 409 });
  expect(await app.call(stranger, cancelOrder, { id: ride.id })).toMatchObject({ code: 404 });
  expect(await app.call(driver, match, { id: request.id })).toMatchObject({ code: 404 });
  expect((await app.ok(stranger, listOrders, {})).total).toBe(0);
});
