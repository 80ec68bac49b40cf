import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { listDisputes } from '#contract/payments/endpoints.ts';
import {
  accept,
  arrive,
  askToJoin,
  cancelOrder,
  depart,
  noShow,
  noteContact,
  orderDetail,
  pickUp,
  reach,
  reportDriver,
  sayTookPlace,
} from '#contract/rides/endpoints.ts';
import type { Booking, Order } from '#contract/rides/views.ts';
import { dayMs, hourMs, minuteMs } from '../../platform/clock.ts';
import { notifications } from '../../schema/notifications.ts';
import { outages } from '../../schema/platform.ts';
import { strikes } from '../../schema/moderation.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { openTestApp, type TestPerson } from '../../testing/test-app.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';
import { boardingPass } from '#contract/trips/endpoints.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

let driver: TestPerson;
let passenger: TestPerson;
let rideId: string;
let requestId: string;
let bookingId: string;

/** A paid ride in a day, joined; its authorization is placed. */
beforeEach(async () => {
  driver = await app.person('Dora');
  passenger = await app.person('Pat');
  await onboard(app, driver);
  await addCard(app, passenger);
  const vehicleId = await addVehicle(app, driver);
  rideId = (await publishRide(app, driver, { vehicleId, costCents: 900 })).id;
  requestId = (await publishRequest(app, passenger)).id;
  const { order } = await app.ok(passenger, askToJoin, { rideId, requestId });
  bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  await settle();
});

/** Everything that is due is done, and heard. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await app.scheduler.tick();
    await app.deliver();
    app.clock.advance(2000);
  }
}
const detail = async (who: TestPerson, id: string): Promise<Order> =>
  (await app.ok(who, orderDetail, { id })).order;
const place = async (who: TestPerson = passenger): Promise<Booking> =>
  (await detail(who, who === driver ? rideId : requestId)).bookings[0]!;
const strikesOf = () => app.platform.db.$count(strikes, eq(strikes.driverId, driver.id));
const newsOf = async (who: TestPerson) =>
  (await app.platform.db.select().from(notifications).where(eq(notifications.userId, who.id))).map(
    ({ word }) => word,
  );

/** The server is down from an hour before departure until well after the ride would have been given up. */
async function missTheDay(): Promise<void> {
  app.clock.advance(22 * hourMs);
  await app.beAway(12 * hourMs);
  await settle();
}

test('a server that was away knows it, and a moved clock is no outage', async () => {
  const counted = () => app.platform.db.$count(outages);
  await app.platform.uptime.beat();
  const before = await counted();
  app.clock.advance(12 * hourMs);
  await app.scheduler.tick();
  expect(await counted()).toBe(before);
  await app.beAway(30_000);
  await app.scheduler.tick();
  expect(await counted()).toBe(before);
  await app.beAway(2 * hourMs);
  await app.scheduler.tick();
  expect(await counted()).toBe(before + 1);
  const last = (await app.platform.db.select().from(outages)).at(-1)!;
  expect(last.untilAt.getTime() - last.fromAt.getTime()).toBe(2 * hourMs);
});

test('a ride whose day fell into an outage is asked about: no strike, nothing released, nothing taken', async () => {
  await missTheDay();
  for (const who of [driver, passenger]) {
    expect((await place(who)).unclear).toMatchObject({ mine: null });
    expect(await newsOf(who)).toContain('tookPlaceAsked');
    expect(await newsOf(who)).not.toContain('driverMissed');
  }
  expect((await place()).payment).toMatchObject({
    state: 'requires_capture',
    authorizedCents: 900,
    capturedCents: 0,
  });
  expect(await strikesOf()).toBe(0);
  // Whatever would cost a person money or a strike waits for the answers.
  expect((await place()).may).toEqual([]);
  expect(await app.call(driver, cancelOrder, { id: rideId, reason: 'No' })).toMatchObject({ code: 409 });
  expect(await app.call(passenger, cancelOrder, { id: requestId })).toMatchObject({ code: 409 });
  expect((await detail(passenger, requestId)).may).toEqual([]);
});

test('both say that it took place: it is finished and paid', async () => {
  await missTheDay();
  await app.ok(driver, sayTookPlace, { bookingId, tookPlace: true });
  expect((await place(driver)).unclear).toMatchObject({ mine: true });
  expect((await place()).unclear).toMatchObject({ mine: null });
  await app.ok(passenger, sayTookPlace, { bookingId, tookPlace: true });
  await settle();
  expect(await detail(driver, rideId)).toMatchObject({ state: 'finished' });
  expect(await detail(passenger, requestId)).toMatchObject({ state: 'finished' });
  expect(await place()).toMatchObject({ state: 'finished', unclear: null, reviewDue: true });
  expect((await place()).payment).toMatchObject({ state: 'succeeded', capturedCents: 900 });
  expect(await strikesOf()).toBe(0);
  expect(await app.call(passenger, sayTookPlace, { bookingId, tookPlace: false })).toMatchObject({
    code: 409,
    reason: 'booking.moved',
  });
});

test('both say that it did not: everything is released, and nobody is struck', async () => {
  await missTheDay();
  await app.ok(driver, sayTookPlace, { bookingId, tookPlace: true });
  // Until the other has answered, one may say otherwise.
  await app.ok(driver, sayTookPlace, { bookingId, tookPlace: false });
  await app.ok(passenger, sayTookPlace, { bookingId, tookPlace: false });
  await settle();
  expect(await detail(driver, rideId)).toMatchObject({ state: 'expired' });
  expect(await detail(passenger, requestId)).toMatchObject({ state: 'expired' });
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
  expect(await strikesOf()).toBe(0);
});

test('they disagree: an admin decides while the hold stands, and undecided it is let go before the hold ends', async () => {
  const admin = await app.person('Ada', { isAdmin: true });
  await missTheDay();
  await app.ok(driver, sayTookPlace, { bookingId, tookPlace: true });
  await app.ok(passenger, sayTookPlace, { bookingId, tookPlace: false });
  await settle();
  const { disputes } = await app.ok(admin, listDisputes, { state: 'open' });
  const own = disputes.find((each) => each.bookingId === bookingId)!;
  expect(own.text).toContain('Driver: yes; passenger: no');
  expect((await place()).payment).toMatchObject({
    state: 'requires_capture',
    kind: 'contested',
    capturedCents: 0,
  });
  app.clock.advance(7 * dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
});

test('nobody answers: after two days an admin decides, nothing is taken', async () => {
  await missTheDay();
  app.clock.advance(47 * hourMs);
  await settle();
  expect((await place()).unclear).not.toBeNull();
  app.clock.advance(hourMs);
  await settle();
  expect(await place()).toMatchObject({ unclear: null, state: 'expired' });
  expect((await place()).payment).toMatchObject({ kind: 'contested', capturedCents: 0 });
  expect(await strikesOf()).toBe(0);
});

test('a passenger who reports a driver of a day the server did not see has answered with no', async () => {
  app.clock.advance(22 * hourMs);
  await app.beAway(3 * hourMs);
  await settle();
  await app.ok(passenger, reportDriver, { bookingId });
  expect((await place()).unclear).toMatchObject({ mine: false });
  expect((await place()).state).toBe('waiting');
  expect(await strikesOf()).toBe(0);
});

test('a wait in which the server was away is no wait: the passenger could not say that they are there', async () => {
  const { departsAt } = (await detail(driver, rideId)) as { departsAt: string };
  app.clock.moveTo(new Date(Date.parse(departsAt) - 2 * minuteMs));
  await settle();
  await app.ok(driver, reach, { id: rideId, reason: 'At the corner' });
  await app.ok(driver, depart, { id: rideId });
  app.clock.moveTo(new Date(Date.parse((await place()).pickup.at)));
  await app.ok(driver, reach, { id: rideId, bookingId, reason: 'At the corner' });
  await app.ok(driver, noteContact, { bookingId, kind: 'call' });
  await app.beAway(20 * minuteMs);
  await settle();
  expect(await app.call(driver, noShow, { bookingId })).toMatchObject({
    code: 409,
    reason: 'booking.waitNotOver',
  });
  app.clock.advance(5 * minuteMs);
  await app.ok(driver, noShow, { bookingId });
  expect((await place()).state).toBe('missed');
});

test('steps that a phone kept during the outage say what became of the ride', async () => {
  await missTheDay();
  await app.ok(driver, reach, { id: rideId, reason: 'It was here' });
  await app.ok(driver, depart, { id: rideId });
  await app.ok(driver, reach, { id: rideId, bookingId, reason: 'It was here' });
  const { pin } = await app.ok(passenger, boardingPass, { bookingId });
  await app.ok(driver, pickUp, { bookingId, pin });
  await app.ok(driver, arrive, { id: rideId });
  await settle();
  expect(await place()).toMatchObject({ state: 'finished', unclear: null });
  expect((await place()).payment).toMatchObject({ state: 'succeeded', capturedCents: 900 });
});
