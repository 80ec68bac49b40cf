import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin, orderDetail, updateOrder } from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { publishRequest, publishRide, spots, type RideInput } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const rideOf = async (who: TestPerson, id: string) => (await app.ok(who, orderDetail, { id })).order as Ride;
const requestOf = async (who: TestPerson, id: string) =>
  (await app.ok(who, orderDetail, { id })).order as Request;

test('whoever asks for a ride that is booked instantly has joined it, and the other asks end', async () => {
  const [driver, other, passenger] = await Promise.all(
    ['Driver', 'Other', 'Ann'].map((name) => app.person(name)),
  );
  const ride = await publishRide(app, driver!, { instant: true, maxDetourMinutes: 20 });
  const elsewhere = await publishRide(app, other!);
  const request = await publishRequest(app, passenger!);
  await app.ok(passenger!, askToJoin, { rideId: elsewhere.id, requestId: request.id });
  const { order } = await app.ok(passenger!, askToJoin, { rideId: ride.id, requestId: request.id });
  expect(order).toMatchObject({ state: 'joined', stage: 'Joined', ride: { id: ride.id, instant: true } });
  const joined = await rideOf(driver!, ride.id);
  expect(joined.bookings).toMatchObject([{ state: 'joined', startedBy: 'passenger' }]);
  expect(joined.stops.map(({ kind }) => kind)).toEqual(['start', 'pickup', 'dropoff', 'end']);
  expect(joined.seatsFree).toBe(2);
  expect((await rideOf(other!, elsewhere.id)).bookings).toMatchObject([{ state: 'cancel' }]);
});

test('the driver decides about a ride by request, and an edit changes the rule for those who ask afterwards', async () => {
  const [driver, ann, ben] = await Promise.all(['Driver', 'Ann', 'Ben'].map((name) => app.person(name)));
  const ride = await publishRide(app, driver!, { maxDetourMinutes: 20 });
  const first = await publishRequest(app, ann!);
  const second = await publishRequest(app, ben!);
  const asked = await app.ok(ann!, askToJoin, { rideId: ride.id, requestId: first.id });
  expect(asked.order.state).toBe('requesting');
  const order: RideInput = {
    role: 'driver',
    from: spots.westside,
    to: spots.aptos,
    departsAt: ride.departsAt,
    seats: 3,
    vehicleId: null,
    priceKind: 'perPerson',
    costCents: 0,
    maxDetourMinutes: 20,
    instant: true,
  };
  await app.ok(driver!, updateOrder, { id: ride.id, order });
  expect((await requestOf(ann!, first.id)).state).toBe('requesting');
  const joined = await app.ok(ben!, askToJoin, { rideId: ride.id, requestId: second.id });
  expect(joined.order.state).toBe('joined');
});

test('ten people who take one of two seats at the same moment: two have it, the others have nothing', async () => {
  const driver = await app.person('Driver');
  const ride = await publishRide(app, driver, { instant: true, seats: 2, maxDetourMinutes: 20 });
  const people = await Promise.all(Array.from({ length: 10 }, (_, index) => app.person(`P${index}`)));
  const asks: { person: TestPerson; requestId: string }[] = [];
  for (const person of people) asks.push({ person, requestId: (await publishRequest(app, person)).id });
  const answers = await Promise.all(
    asks.map(({ person, requestId }) => app.call(person, askToJoin, { rideId: ride.id, requestId })),
  );
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(2);
  for (const answer of answers.filter(({ code }) => code !== 200))
    expect(answer).toMatchObject({ code: 409, reason: 'ride.full' });
  const now = await rideOf(driver, ride.id);
  expect(now).toMatchObject({ seatsFree: 0 });
  expect(now.bookings.map(({ state }) => state)).toEqual(['joined', 'joined']);
  const losers = asks.filter((_, index) => answers[index]!.code !== 200);
  for (const { person, requestId } of losers)
    expect((await requestOf(person, requestId)).state).toBe('matching');
});

test('one passenger who books two rides at once has one of them', async () => {
  const [first, second, passenger] = await Promise.all(
    ['First', 'Second', 'Ann'].map((name) => app.person(name)),
  );
  const rides = [
    await publishRide(app, first!, { instant: true }),
    await publishRide(app, second!, { instant: true }),
  ];
  const request = await publishRequest(app, passenger!);
  const answers = await Promise.all(
    rides.map(({ id }) => app.call(passenger!, askToJoin, { rideId: id, requestId: request.id })),
  );
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const seats = [await rideOf(first!, rides[0]!.id), await rideOf(second!, rides[1]!.id)];
  expect(seats.map(({ seatsFree }) => seatsFree).toSorted((a, b) => a - b)).toEqual([2, 3]);
});

test('an ask of the time before is still the driver’s to accept', async () => {
  const [driver, ann] = await Promise.all(['Driver', 'Ann'].map((name) => app.person(name)));
  const ride = await publishRide(app, driver!, { maxDetourMinutes: 20 });
  const request = await publishRequest(app, ann!);
  const { order } = await app.ok(ann!, askToJoin, { rideId: ride.id, requestId: request.id });
  const { booking } = await app.ok(driver!, accept, { bookingId: order.bookings[0]!.id });
  expect(booking.state).toBe('joined');
});
