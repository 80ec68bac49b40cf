import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accept,
  askToJoin,
  createOrder,
  invite,
  match,
  orderDetail,
  orderTimeline,
  updateOrder,
} from '#contract/rides/endpoints.ts';
import type { Request, Ride } from '#contract/rides/views.ts';
import { later } from '../../platform/clock.ts';
import { onboard } from '../../testing/money.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import {
  addVehicle,
  publishRequest,
  publishRide,
  spots,
  type RideInput,
  type RequestInput,
} from '../../testing/orders.ts';
import { refusedFields } from '../../testing/envelopes.ts';

const hourMs = 3_600_000;
const theSentence = 'You cannot edit the time, address or cost because the ride is already matched.';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

/** The input that the form of a published ride sends when nothing was changed. */
const entered = (
  ride: Pick<Ride, 'earliestDepartsAt' | 'seats' | 'priceKind' | 'costCents'>,
  part: Partial<RideInput> = {},
): RideInput => ({
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  departsAt: ride.earliestDepartsAt,
  seats: ride.seats,
  vehicleId: null,
  priceKind: ride.priceKind,
  costCents: ride.costCents,
  ...part,
});
const asked = (request: Request, part: Partial<RequestInput> = {}): RequestInput => ({
  role: 'passenger',
  from: spots.downtown,
  to: spots.capitola,
  earliestAt: request.earliestAt,
  latestAt: request.latestAt,
  seats: request.seats,
  offerCents: request.offerCents,
  ...part,
});
const edit = (who: TestPerson, id: string, order: RideInput | RequestInput) =>
  app.call(who, updateOrder, { id, order });
const rideOf = async (who: TestPerson, id: string) => (await app.ok(who, orderDetail, { id })).order as Ride;
const requestOf = async (who: TestPerson, id: string) =>
  (await app.ok(who, orderDetail, { id })).order as Request;
const shifted = (iso: string, hours: number) => new Date(Date.parse(iso) + hours * hourMs).toISOString();

async function pair() {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver, { maxDetourMinutes: 20 });
  const request = await publishRequest(app, passenger);
  return { driver, passenger, ride, request };
}

async function joinedPair() {
  const things = await pair();
  const { driver, passenger, ride, request } = things;
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  return things;
}

test('everything about an unmatched ride can be edited, and who fits follows', async () => {
  const { driver, passenger, ride, request } = await pair();
  const found = async () => (await app.ok(passenger, match, { id: request.id })).candidates;
  expect((await found()).some((each) => each.ride.id === ride.id)).toBe(true);
  const departsAt = shifted(ride.departsAt, 30);
  const answer = await edit(
    driver,
    ride.id,
    entered(ride, { departsAt, flexMinutes: 15, to: spots.scottsValley, seats: 2, note: 'Two bags at most' }),
  );
  expect(answer).toMatchObject({
    code: 200,
    data: { order: { departsAt, seats: 2, seatsFree: 2, note: 'Two bags at most', edit: 'all' } },
  });
  const edited = await rideOf(driver, ride.id);
  expect(edited.to.name).toBe(spots.scottsValley.name);
  expect(edited.latestDepartsAt).toBe(shifted(departsAt, 0.25));
  expect(edited.driveMetres).not.toBe(ride.driveMetres);
  expect(edited.stops).toHaveLength(2);
  expect((await found()).some((each) => each.ride.id === ride.id)).toBe(false);
  const { entries } = await app.ok(driver, orderTimeline, { id: ride.id });
  expect(entries.map(({ move }) => move)).toEqual(['publish', 'update']);
});

test('the time a ride takes moves with it: the old one is free, a taken one is refused', async () => {
  const driver = await app.person('Driver');
  const first = await publishRide(app, driver);
  const later = shifted(first.departsAt, 5);
  const second = await publishRide(app, driver, { departsAt: later });
  const clash = await edit(driver, first.id, entered(first, { departsAt: later }));
  expect(clash).toMatchObject({
    code: 422,
    reason: 'order.overlap',
    info: 'There is an existing ride at the same departure time, so choose a different time.',
  });
  expect((await rideOf(driver, first.id)).departsAt).toBe(first.departsAt);
  expect((await edit(driver, second.id, entered(second, { departsAt: shifted(later, 5) }))).code).toBe(200);
  expect((await edit(driver, first.id, entered(first, { departsAt: later }))).code).toBe(200);
});

test('a matched ride keeps its time, address and cost; note, visibility and more seats may change', async () => {
  const { driver, passenger, ride } = await joinedPair();
  expect((await rideOf(driver, ride.id)).edit).toBe('details');
  for (const part of [
    { departsAt: shifted(ride.departsAt, 1) },
    { flexMinutes: 30 },
    { from: spots.campus },
    { to: { ...spots.aptos, name: 'Somewhere else' } },
    { costCents: 700, vehicleId: null },
  ]) {
    const answer = await edit(driver, ride.id, entered(ride, part));
    expect(answer).toMatchObject({ code: 409, reason: 'order.matched', info: theSentence });
  }
  const before = await rideOf(driver, ride.id);
  const order = entered(ride, {
    note: 'Blue door',
    visibility: 'all contacts',
    seats: 4,
    maxDetourMinutes: 20,
  });
  expect((await edit(driver, ride.id, order)).code).toBe(200);
  const after = await rideOf(driver, ride.id);
  expect(after).toMatchObject({ note: 'Blue door', visibility: 'all contacts', seats: 4, seatsFree: 3 });
  expect(after.stops).toEqual(before.stops);
  // Passengers of the ride still see it, though its audience no longer includes them.
  expect((await rideOf(passenger, ride.id)).note).toBe('Blue door');
});

test('a car’s price of which a seat would pay less than 50 cents is refused with the lowest that works, also for more seats later', async () => {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const car = { priceKind: 'perCar', vehicleId } as const;
  const order = { ...entered({ ...car, seats: 3, costCents: 140, earliestDepartsAt: '' }), ...car };
  const departsAt = later(app.clock.now(), 30 * hourMs).toISOString();
  expect(await app.call(driver, createOrder, { order: { ...order, departsAt } })).toMatchObject({
    code: 422,
    reason: 'order.carPriceTooLow',
    data: {
      fields: {
        'order.costCents': 'With 3 seats, please ask for at least $1.50 for the car, or make the ride free.',
      },
      amountCents: 150,
      seats: 3,
    },
  });
  const ride = await publishRide(app, driver, { ...car, seats: 3, costCents: 150 });
  const asItStands = entered(ride, car);
  expect(await edit(driver, ride.id, { ...asItStands, seats: 4 })).toMatchObject({
    reason: 'order.carPriceTooLow',
    data: { fields: { 'order.seats': expect.stringContaining('$2.00') as string }, amountCents: 200 },
  });
  expect(await rideOf(driver, ride.id)).toMatchObject({ seats: 3, costCents: 150 });
  expect((await edit(driver, ride.id, { ...asItStands, seats: 4, costCents: 200 })).code).toBe(200);
});

test('seats that are taken cannot be edited away', async () => {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver, { maxDetourMinutes: 20 });
  const request = await publishRequest(app, passenger, { seats: 2 });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  const refused = await edit(driver, ride.id, entered(ride, { seats: 1 }));
  expect(refused).toMatchObject({
    code: 422,
    reason: 'order.seatsTaken',
    data: { fields: { 'order.seats': '2 seats are already taken.' } },
  });
  expect((await edit(driver, ride.id, entered(ride, { seats: 2 }))).code).toBe(200);
  expect(await rideOf(driver, ride.id)).toMatchObject({ seats: 2, seatsFree: 0 });
});

test('an open ask ends when its terms change, and stands when they do not', async () => {
  const { driver, passenger, ride, request } = await pair();
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  expect((await edit(driver, ride.id, entered(ride, { note: 'Hello', seats: 4 }))).code).toBe(200);
  expect((await rideOf(driver, ride.id)).bookings).toMatchObject([{ state: 'requesting' }]);
  const departsAt = shifted(ride.departsAt, 0.25);
  expect((await edit(driver, ride.id, entered(ride, { departsAt }))).code).toBe(200);
  expect((await rideOf(driver, ride.id)).bookings).toMatchObject([{ state: 'cancel', reason: 'changed' }]);
  expect((await requestOf(passenger, request.id)).state).toBe('matching');
  const again = await app.call(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  expect(again.code).toBe(200);
});

test('an ask that is accepted while the ride is edited either joins on the old terms or ends', async () => {
  const { driver, passenger, ride, request } = await pair();
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const departsAt = shifted(ride.departsAt, 0.5);
  const [accepted, edited] = await Promise.all([
    app.call(driver, accept, { bookingId: order.bookings[0]!.id }),
    edit(driver, ride.id, entered(ride, { departsAt })),
  ]);
  expect([accepted.code, edited.code].toSorted((a, b) => a - b)).toEqual([200, 409]);
  const now = await rideOf(driver, ride.id);
  expect(now.bookings[0]!.state).toBe(accepted.code === 200 ? 'joined' : 'cancel');
  expect(now.earliestDepartsAt).toBe(accepted.code === 200 ? ride.earliestDepartsAt : departsAt);
});

test('a request is edited the same way, meeting points and all', async () => {
  const { driver, passenger, ride, request } = await pair();
  await app.ok(driver, invite, { rideId: ride.id, requestId: request.id });
  const order = asked(request, { from: spots.campus, walkMetres: 0, seats: 2, note: 'A cello' });
  expect(await edit(passenger, request.id, order)).toMatchObject({ code: 200 });
  const now = await requestOf(passenger, request.id);
  expect(now).toMatchObject({ state: 'matching', seats: 2, note: 'A cello', walkMetres: 0, edit: 'all' });
  expect(now.bookings).toMatchObject([{ state: 'cancel', reason: 'changed' }]);
  expect(now.from.name).toBe(spots.campus.name);
});

test('a matched request keeps its time, address, seats and offer; its note may change', async () => {
  const { passenger, request } = await joinedPair();
  for (const part of [{ seats: 2 }, { offerCents: 900 }, { latestAt: shifted(request.latestAt, 1) }]) {
    const answer = await edit(passenger, request.id, asked(request, part));
    expect(answer).toMatchObject({ code: 409, reason: 'order.matched', info: theSentence });
  }
  expect((await edit(passenger, request.id, asked(request, { note: 'Red coat' }))).code).toBe(200);
  expect((await requestOf(passenger, request.id)).note).toBe('Red coat');
});

test('what is refused at publishing is refused at editing, by field; nothing is stored', async () => {
  const { driver, passenger, ride, request } = await pair();
  const cases: [part: Partial<RideInput>, field: string][] = [
    [{ departsAt: shifted(ride.departsAt, -48) }, 'order.departsAt'],
    [{ seats: 9 }, 'order.seats'],
    [{ costCents: 49 }, 'order.costCents'],
    [{ costCents: 900 }, 'order.vehicleId'],
    [{ visibility: 'tags', tagIds: [] }, 'order.tagIds'],
    [{ note: 'x'.repeat(501) }, 'order.note'],
  ];
  for (const [part, field] of cases) {
    const answer = await edit(driver, ride.id, entered(ride, part));
    expect(answer.code).toBe(422);
    expect(Object.keys(refusedFields(answer))).toContain(field);
  }
  expect(await rideOf(driver, ride.id)).toEqual(ride);
  // Another person's order, or one of the other kind, is not found.
  expect((await edit(passenger, ride.id, entered(ride))).code).toBe(404);
  expect((await edit(driver, ride.id, asked(request))).code).toBe(404);
});

test('a published order sent back untouched changes nothing but its version', async () => {
  const driver = await app.person('Driver');
  const published = (await app.ok(driver, createOrder, {
    order: entered({
      earliestDepartsAt: shifted('2026-11-23T17:00:00Z', 30),
      seats: 3,
      priceKind: 'perPerson',
      costCents: 0,
    }),
  })) as Ride;
  const before = await rideOf(driver, published.id);
  expect((await edit(driver, published.id, entered(published))).code).toBe(200);
  expect(await rideOf(driver, published.id)).toEqual(before);
});

test('stops on the way and preferences are edited while nobody relies on them', async () => {
  const { driver, passenger, ride, request } = await pair();
  const changed = await app.ok(driver, updateOrder, {
    id: ride.id,
    order: entered(ride, { via: [spots.soquel], preferences: { pets: true }, maxDetourMinutes: 20 }),
  });
  expect(changed.order).toMatchObject({
    via: [{ name: spots.soquel.name }],
    preferences: { pets: true, luggage: false },
    stops: [{ kind: 'start' }, { kind: 'via', place: { name: spots.soquel.name } }, { kind: 'end' }],
  });
  const same = { name: 'Twice', detail: '', lon: spots.westside.lon, lat: spots.westside.lat };
  for (const [via, field] of [
    [[same], 'order.via.0'],
    [[spots.soquel, spots.soquel], 'order.via.1'],
    [[spots.soquel, { ...spots.aptos, name: 'Again' }], 'order.via.1'],
    [[{ ...same, lat: 0, lon: 0 }], 'order.via.0'],
    [Array.from({ length: 4 }, () => spots.soquel), 'order.via'],
  ] as const)
    expect(await edit(driver, ride.id, entered(ride, { via: [...via] })), field).toMatchObject({
      code: 422,
      data: { fields: { [field]: expect.any(String) } },
    });
  await app.ok(passenger, updateOrder, {
    id: request.id,
    order: asked(request, { preferences: { pets: true } }),
  });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  const stands = { via: [spots.soquel], preferences: { pets: true }, maxDetourMinutes: 20 };
  expect(await edit(driver, ride.id, entered(ride, { ...stands, via: [] }))).toMatchObject({
    code: 409,
    info: theSentence,
  });
  expect(await edit(driver, ride.id, entered(ride, { ...stands, preferences: {} }))).toMatchObject({
    code: 409,
    reason: 'order.preferencesAgreed',
  });
  expect(await edit(driver, ride.id, entered(ride, { ...stands, note: 'Blue car' }))).toMatchObject({
    code: 200,
  });
});
