import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorize, paymentMethods, receipts } from '#contract/payments/endpoints.ts';
import {
  accept,
  answerChange,
  askToJoin,
  orderDetail,
  proposeChange,
  updateOrder,
  withdraw,
} from '#contract/rides/endpoints.ts';
import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { authorizations } from '../../../schema/payments.ts';
import { fickleClient } from '../../../testing/fickle-client.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { addCard, onboard, testNumbers } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';

const { client, trouble } = fickleClient();
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' }, cardClient: client });
});
afterAll(() => app.close());

interface Passenger {
  person: TestPerson;
  requestId: string;
  bookingId: string;
}

const orderOf = async (who: TestPerson, id: string): Promise<Order> =>
  (await app.ok(who, orderDetail, { id })).order;
const bookingOf = async ({ person, requestId }: Passenger): Promise<Booking> =>
  ((await orderOf(person, requestId)) as Request).bookings.at(-1)!;

async function settled(): Promise<void> {
  app.clock.advance(2000);
  await app.deliver();
  await app.scheduler.tick();
  await app.deliver();
}

async function paidRide(aheadMs: number) {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const departsAt = later(app.clock.now(), aheadMs).toISOString();
  const ride = await publishRide(app, driver, { vehicleId, costCents: 2000, departsAt });
  return { driver, ride };
}

async function joining(driver: TestPerson, ride: Ride, card?: string): Promise<Passenger> {
  const person = await app.person('Passenger');
  if (card !== undefined) await addCard(app, person, card);
  const at = new Date(ride.departsAt);
  const window = { earliestAt: later(at, -hourMs).toISOString(), latestAt: later(at, hourMs).toISOString() };
  const { id: requestId } = await publishRequest(app, person, window);
  const { order } = await app.ok(person, askToJoin, { rideId: ride.id, requestId });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  return { person, requestId, bookingId };
}

/** Proposes another departure, and has each person accept it. */
async function moveTo(driver: TestPerson, ride: Ride, departsAt: Date, passengers: readonly Passenger[]) {
  const { order } = await app.ok(driver, proposeChange, {
    id: ride.id,
    departsAt: departsAt.toISOString(),
    costCents: ride.costCents,
    note: '',
  });
  const changeId = (order as Ride).change!.id;
  for (const { person } of passengers)
    expect((await app.call(person, answerChange, { changeId, accept: true })).code).toBe(200);
}

const holdOf = async ({ bookingId }: Passenger) => {
  const current = and(eq(authorizations.bookingId, bookingId), eq(authorizations.isCurrent, true));
  return (await app.platform.db.select().from(authorizations).where(current))[0]!;
};

test('a hold that is planned moves with its ride, earlier and later, three days before the new departure', async () => {
  const { driver, ride } = await paidRide(12 * dayMs);
  const passenger = await joining(driver, ride, testNumbers.good);
  for (const days of [6, 15]) {
    const departsAt = later(app.clock.now(), days * dayMs);
    await moveTo(driver, ride, departsAt, [passenger]);
    expect(await bookingOf(passenger)).toMatchObject({
      state: 'joined',
      payment: {
        state: 'requires_confirmation',
        authorizedCents: 0,
        holdAt: later(departsAt, -3 * dayMs).toISOString(),
      },
    });
    expect((await holdOf(passenger)).rideAt).toEqual(departsAt);
  }
}, 60_000);

test('a ride moved within three days is secured at once, or its passenger’s seat is only kept until it is', async () => {
  const { driver, ride } = await paidRide(10 * dayMs);
  const good = await joining(driver, ride, testNumbers.good);
  const bad = await joining(driver, ride, testNumbers.refusedOnCharge);
  await moveTo(driver, ride, later(app.clock.now(), 30 * hourMs), [good, bad]);
  expect(await bookingOf(good)).toMatchObject({
    state: 'joined',
    payment: { state: 'requires_capture', authorizedCents: 2000 },
  });
  expect(await bookingOf(bad)).toMatchObject({
    state: 'waiting for passenger acceptance',
    awaits: 'payment',
    payment: { need: 'anotherCard', authorizedCents: 0 },
  });
  await addCard(app, bad.person);
  const [newest] = (await app.ok(bad.person, paymentMethods, {})).methods;
  await app.ok(bad.person, authorize, { bookingId: bad.bookingId, methodId: newest!.id });
  expect(await bookingOf(bad)).toMatchObject({ state: 'joined', payment: { authorizedCents: 2000 } });
  // Moved once more, with the authorization placed: the passenger's receipt names the new departure.
  const again = later(app.clock.now(), 31 * hourMs);
  await moveTo(driver, ride, again, [good, bad]);
  expect((await app.ok(good.person, receipts, {})).receipts[0]).toMatchObject({
    bookingId: good.bookingId,
    state: 'requires_capture',
    rideAt: again.toISOString(),
  });
}, 60_000);

test('while the provider is away nobody is driven on a change that nothing secures', async () => {
  const { driver, ride } = await paidRide(10 * dayMs);
  const passenger = await joining(driver, ride, testNumbers.good);
  trouble.is = 'away';
  try {
    await moveTo(driver, ride, later(app.clock.now(), 30 * hourMs), [passenger]);
    expect(await bookingOf(passenger)).toMatchObject({
      state: 'waiting for passenger acceptance',
      awaits: 'payment',
    });
  } finally {
    trouble.is = 'none';
  }
  app.clock.advance(minuteMs);
  await settled();
  expect(await bookingOf(passenger)).toMatchObject({ state: 'joined', payment: { authorizedCents: 2000 } });
}, 60_000);

test('a hold that would end before the ride is let go, and placed anew three days before', async () => {
  const { driver, ride } = await paidRide(2 * dayMs);
  const passenger = await joining(driver, ride, testNumbers.good);
  const first = await holdOf(passenger);
  expect(first.authorizedCents).toBe(2000);
  const departsAt = later(app.clock.now(), 9 * dayMs);
  await moveTo(driver, ride, departsAt, [passenger]);
  await settled();
  const [old] = await app.platform.db.select().from(authorizations).where(eq(authorizations.id, first.id));
  expect(old).toMatchObject({ isCurrent: false, state: 'canceled', authorizedCents: 0 });
  expect(await bookingOf(passenger)).toMatchObject({
    state: 'joined',
    payment: { authorizedCents: 0, holdAt: later(departsAt, -3 * dayMs).toISOString() },
  });
  app.clock.moveTo(later(departsAt, -3 * dayMs + minuteMs));
  await settled();
  expect((await holdOf(passenger)).authorizedCents).toBe(2000);
}, 60_000);

test('once both have said yes time, address and cost are locked, and nobody who still has to pay is dropped', async () => {
  const { driver, ride } = await paidRide(2 * dayMs);
  const passenger = await joining(driver, ride);
  expect(await bookingOf(passenger)).toMatchObject({ awaits: 'payment', payment: { need: 'card' } });
  expect(await orderOf(driver, ride.id)).toMatchObject({ edit: 'details' });
  expect(await orderOf(passenger.person, passenger.requestId)).toMatchObject({ edit: 'details' });
  const { from, to, seats, vehicle, priceKind, visibility } = ride;
  const order = {
    role: 'driver' as const,
    from,
    to,
    seats,
    vehicleId: vehicle!.id,
    priceKind,
    visibility,
    departsAt: ride.earliestDepartsAt,
  };
  const edited = await app.call(driver, updateOrder, {
    id: ride.id,
    order: { ...order, costCents: 2500 },
  });
  expect(edited).toMatchObject({ code: 409, reason: 'order.matched' });
  // Another time is proposed to them as to a person who has joined.
  const departsAt = later(app.clock.now(), 50 * hourMs);
  await moveTo(driver, ride, departsAt, [passenger]);
  expect(await bookingOf(passenger)).toMatchObject({
    state: 'waiting for passenger acceptance',
    awaits: 'payment',
  });
  await addCard(app, passenger.person);
  await settled();
  expect(await bookingOf(passenger)).toMatchObject({ state: 'joined', payment: { authorizedCents: 2000 } });
  expect((await orderOf(driver, ride.id)) as Ride).toMatchObject({ departsAt: departsAt.toISOString() });
}, 60_000);

/** Lowers the price, which the passenger accepts. */
async function lowerTo(driver: TestPerson, ride: Ride, costCents: number, { person }: Passenger) {
  const input = { id: ride.id, departsAt: ride.departsAt, costCents, note: '' };
  const { order } = await app.ok(driver, proposeChange, input);
  await app.ok(person, answerChange, { changeId: (order as Ride).change!.id, accept: true });
}

test('after a hold that failed, a lower price is what the passenger is asked for', async () => {
  const { driver, ride } = await paidRide(10 * dayMs);
  const passenger = await joining(driver, ride, testNumbers.refusedOnCharge);
  app.clock.moveTo(later(new Date(ride.departsAt), -3 * dayMs + minuteMs));
  await settled();
  expect(await bookingOf(passenger)).toMatchObject({ awaits: 'payment', payment: { need: 'anotherCard' } });
  await lowerTo(driver, ride, 1000, passenger);
  const { id: methodId } = await addCard(app, passenger.person);
  await app.ok(passenger.person, authorize, { bookingId: passenger.bookingId, methodId });
  expect(await bookingOf(passenger)).toMatchObject({
    state: 'joined',
    fareCents: 1000,
    payment: { amountCents: 1000, authorizedCents: 1000 },
  });
}, 60_000);

test('a hold that stands serves a lower price, and one that the provider lets go is asked for at that price', async () => {
  const { driver, ride } = await paidRide(2 * dayMs);
  const passenger = await joining(driver, ride, testNumbers.good);
  await lowerTo(driver, ride, 1000, passenger);
  const held = await holdOf(passenger);
  expect(held).toMatchObject({ amountCents: 1000, authorizedCents: 2000, state: 'requires_capture' });
  // Raised again within the authorized amount: the bank is not asked for more.
  await lowerTo(driver, ride, 1500, passenger);
  expect(await holdOf(passenger)).toMatchObject({ id: held.id, amountCents: 1500, authorizedCents: 2000 });
  await app.platform.payments.provider.cancel(held.paymentId!, crypto.randomUUID());
  app.clock.advance(dayMs);
  await settled();
  await app.ok(passenger.person, authorize, { bookingId: passenger.bookingId });
  await settled();
  expect(await holdOf(passenger)).toMatchObject({ amountCents: 1500, authorizedCents: 1500 });
}, 60_000);

test('a passenger who accepts while the driver takes their booking back hears that the proposal is over', async () => {
  const { driver, ride } = await paidRide(30 * hourMs);
  const passenger = await joining(driver, ride, testNumbers.refusedOnCharge);
  const { order } = await app.ok(driver, proposeChange, {
    id: ride.id,
    departsAt: ride.departsAt,
    costCents: 1500,
    note: '',
  });
  const changeId = (order as Ride).change!.id;
  const held = await app.pool.connect();
  try {
    await held.query('begin');
    await held.query('select from rides where id = $1 for update', [ride.id]);
    // They wait for the ride in this order; the passenger's booking was there when they began.
    const withdrawn = app.call(driver, withdraw, { bookingId: passenger.bookingId });
    await sleep(200);
    const answered = app.call(passenger.person, answerChange, { changeId, accept: true });
    await sleep(200);
    await held.query('commit');
    expect((await withdrawn).code).toBe(200);
    expect(await answered).toMatchObject({ code: 409, reason: 'change.moved' });
  } finally {
    await held.query('rollback');
    held.release();
  }
});
