import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { tellLocation } from '#contract/trips/endpoints.ts';
import { listDisputes, openDispute } from '#contract/payments/endpoints.ts';
import {
  accept,
  askToJoin,
  depart,
  noShow,
  noteContact,
  orderDetail,
  reach,
  reportDriver,
} from '#contract/rides/endpoints.ts';
import type { Booking } from '#contract/rides/views.ts';
import { dayMs, hourMs, minuteMs } from '../../platform/clock.ts';
import { strikes } from '../../schema/moderation.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { openTestApp, type TestPerson } from '../../testing/test-app.ts';
import { addVehicle, publishRequest, publishRide, spots } from '../../testing/orders.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

let admin: TestPerson;
let driver: TestPerson;
let passenger: TestPerson;
let rideId: string;
let requestId: string;
let bookingId: string;
/** Fifteen kilometres from each person. */
const home = { lon: spots.scottsValley.lon, lat: spots.scottsValley.lat + 0.08 };

/** A paid ride whose driver has left and is on the way to the passenger. */
beforeEach(async () => {
  admin = await app.person('Ada', { isAdmin: true });
  driver = await app.person('Dora');
  passenger = await app.person('Pat');
  await onboard(app, driver);
  await addCard(app, passenger);
  const vehicleId = await addVehicle(app, driver);
  const ride = await publishRide(app, driver, { vehicleId, costCents: 2500 });
  rideId = ride.id;
  requestId = (await publishRequest(app, passenger)).id;
  const { order } = await app.ok(passenger, askToJoin, { rideId, requestId });
  bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  await settle();
  app.clock.moveTo(new Date(Date.parse((await place()).pickup.at) - 30 * minuteMs));
  await settle();
  await app.ok(driver, reach, { id: rideId, reason: 'It is here' });
  app.clock.moveTo(new Date(Date.parse((await place()).pickup.at) - minuteMs));
  await app.ok(driver, depart, { id: rideId });
});

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await app.scheduler.tick();
    await app.deliver();
    app.clock.advance(2000);
  }
}
const place = async (): Promise<Booking> =>
  (await app.ok(passenger, orderDetail, { id: requestId })).order.bookings[0]!;
const pickup = async () => {
  const { lon, lat } = (await place()).pickup;
  return { lon, lat };
};
const strikesOf = () => app.platform.db.$count(strikes, eq(strikes.driverId, driver.id));
const call = () => app.ok(driver, noteContact, { bookingId, kind: 'call' });
const openDisputeOf = async () => {
  const { disputes } = await app.ok(admin, listDisputes, { state: 'open' });
  return disputes.find((each) => each.bookingId === bookingId);
};

test('a no-show takes an attempt to contact the passenger after the pick-up was reached, and the wait', async () => {
  // Before the pick-up is reached there is no passenger to contact.
  expect(await app.call(driver, noteContact, { bookingId, kind: 'call' })).toMatchObject({ code: 409 });
  await app.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  expect(await place()).toMatchObject({ reachedBy: 'position', contacted: false });
  app.clock.advance(11 * minuteMs);
  expect(await app.call(driver, noShow, { bookingId })).toMatchObject({
    code: 409,
    reason: 'booking.notContacted',
  });
  await call();
  expect((await place()).contacted).toBe(true);
  await app.ok(driver, noShow, { bookingId });
  await settle();
  expect((await place()).payment).toMatchObject({ kind: 'noShow', owedCents: 2500, capturedCents: 0 });
  app.clock.advance(25 * hourMs);
  await settle();
  expect((await place()).payment).toMatchObject({ capturedCents: 2500 });
});

test('a line in the ride’s room is an attempt, and one written before the pick-up was reached is none', async () => {
  const write = (text: string) =>
    app.ok(driver, sendMessage, { roomid: rideId, clientId: crypto.randomUUID(), text });
  await write('On my way');
  app.clock.advance(minuteMs);
  await app.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  expect((await place()).contacted).toBe(false);
  app.clock.advance(minuteMs);
  await write('I am here');
  expect((await place()).contacted).toBe(true);
  app.clock.advance(11 * minuteMs);
  expect((await app.ok(driver, noShow, { bookingId })).booking.state).toBe('missed');
});

test('a driver whose device says that they are elsewhere takes no fee, whatever they type', async () => {
  const far = await app.call(driver, reach, { id: rideId, bookingId, at: home });
  expect(far).toMatchObject({ code: 422, reason: 'order.notThere' });
  // Leaving the position out the second time changes nothing.
  await app.ok(driver, reach, { id: rideId, bookingId, reason: 'gps is broken' });
  expect((await place()).reachedBy).toBe('contradicted');
  app.clock.advance(11 * minuteMs);
  await call();
  await app.ok(driver, noShow, { bookingId });
  app.clock.advance(25 * hourMs);
  await settle();
  expect((await place()).payment).toMatchObject({ capturedCents: 0, state: 'canceled' });
});

test('a position that comes later outweighs the words with which a pick-up was reached', async () => {
  await app.ok(driver, reach, { id: rideId, bookingId, reason: 'parking' });
  app.clock.advance(11 * minuteMs);
  await app.ok(driver, tellLocation, { id: rideId, ...home });
  await call();
  await app.ok(driver, noShow, { bookingId });
  app.clock.advance(25 * hourMs);
  await settle();
  expect((await place()).payment).toMatchObject({ capturedCents: 0, state: 'canceled' });
});

test('with words alone an objection releases the money at once', async () => {
  await app.ok(driver, reach, { id: rideId, bookingId, reason: 'parking' });
  app.clock.advance(11 * minuteMs);
  await call();
  await app.ok(driver, noShow, { bookingId });
  const dispute = await app.ok(passenger, openDispute, { bookingId, text: 'I was there' });
  expect(dispute).toMatchObject({ state: 'resolved', refundCents: 2500 });
  await settle();
  expect((await place()).payment).toMatchObject({ capturedCents: 0, state: 'canceled' });
});

test('with the position an objection waits for an admin', async () => {
  await app.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  app.clock.advance(11 * minuteMs);
  await call();
  await app.ok(driver, noShow, { bookingId });
  const dispute = await app.ok(passenger, openDispute, { bookingId, text: 'I was there' });
  expect(dispute.state).toBe('open');
});

const late = async () => {
  app.clock.moveTo(new Date(Date.parse((await place()).pickup.at) + 16 * minuteMs));
};

test('a reported driver has a day: nothing contradicts it, then the hold is released and the strike counted', async () => {
  await late();
  await app.ok(passenger, reportDriver, { bookingId });
  await settle();
  expect(await place()).toMatchObject({ state: 'missed', payment: { authorizedCents: 2500 } });
  expect(await strikesOf()).toBe(0);
  app.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
  expect(await strikesOf()).toBe(1);
});

test('a passenger may report a driver who only says that they are there', async () => {
  await app.ok(driver, reach, { id: rideId, bookingId, reason: 'parking' });
  await late();
  expect((await place()).may).toContain('reportDriver');
  await app.ok(passenger, reportDriver, { bookingId });
  expect(await openDisputeOf()).toBeUndefined();
  app.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
  expect(await strikesOf()).toBe(1);
});

test('a position at the pick-up contradicts the report: an admin decides, and there is no strike', async () => {
  await app.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  await late();
  await app.ok(passenger, reportDriver, { bookingId });
  expect((await openDisputeOf())?.text).toContain('The passenger reported that the driver didn’t show up');
  app.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({
    kind: 'contested',
    authorizedCents: 2500,
    capturedCents: 0,
  });
  expect(await strikesOf()).toBe(0);
  // An undecided claim ends before the authorization does.
  app.clock.advance(7 * dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
});

test('a step that the phone kept without a connection contradicts the report, one done after it does not', async () => {
  const at = await pickup();
  const doneAt = new Date(Date.parse((await place()).pickup.at)).toISOString();
  await late();
  await app.ok(passenger, reportDriver, { bookingId });
  expect(await app.call(driver, reach, { id: rideId, bookingId, at })).toMatchObject({ code: 409 });
  expect(await app.call(driver, reach, { id: rideId, bookingId, at: home, doneAt })).toMatchObject({
    code: 409,
  });
  await app.ok(driver, reach, { id: rideId, bookingId, at, doneAt });
  expect(await openDisputeOf()).toBeDefined();
  app.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ kind: 'contested', authorizedCents: 2500 });
  expect(await strikesOf()).toBe(0);
});
