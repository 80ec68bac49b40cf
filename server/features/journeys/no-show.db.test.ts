import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { tellLocation } from '#contract/journeys/endpoints.ts';
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
import { strikes } from '../../schema/strikes.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { openTestHouse, type TestPerson } from '../../testing/house.ts';
import { addVehicle, publishRequest, publishRide, spots } from '../../testing/orders.ts';

const house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => house.close());

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
  admin = await house.person('Ada', { isAdmin: true });
  driver = await house.person('Dora');
  passenger = await house.person('Pat');
  await onboard(house, driver);
  await addCard(house, passenger);
  const vehicleId = await addVehicle(house, driver);
  const ride = await publishRide(house, driver, { vehicleId, costCents: 2500 });
  rideId = ride.id;
  requestId = (await publishRequest(house, passenger)).id;
  const { order } = await house.ok(passenger, askToJoin, { rideId, requestId });
  bookingId = order.bookings[0]!.id;
  await house.ok(driver, accept, { bookingId });
  await settle();
  house.clock.moveTo(new Date(Date.parse((await place()).pickup.at) - 30 * minuteMs));
  await settle();
  await house.ok(driver, reach, { id: rideId, reason: 'It is here' });
  house.clock.moveTo(new Date(Date.parse((await place()).pickup.at) - minuteMs));
  await house.ok(driver, depart, { id: rideId });
});

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await house.timers.tick();
    await house.deliver();
    house.clock.advance(2000);
  }
}
const place = async (): Promise<Booking> =>
  (await house.ok(passenger, orderDetail, { id: requestId })).order.bookings[0]!;
const pickup = async () => {
  const { lon, lat } = (await place()).pickup;
  return { lon, lat };
};
const strikesOf = () => house.platform.db.$count(strikes, eq(strikes.driverId, driver.id));
const call = () => house.ok(driver, noteContact, { bookingId, kind: 'call' });
const openDisputeOf = async () => {
  const { disputes } = await house.ok(admin, listDisputes, { state: 'open' });
  return disputes.find((each) => each.bookingId === bookingId);
};

test('a no-show takes an attempt to contact the passenger after the pick-up was reached, and the wait', async () => {
  // Before it is reached there is no one to look for.
  expect(await house.call(driver, noteContact, { bookingId, kind: 'call' })).toMatchObject({ code: 409 });
  await house.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  expect(await place()).toMatchObject({ reachedBy: 'position', contacted: false });
  house.clock.advance(11 * minuteMs);
  expect(await house.call(driver, noShow, { bookingId })).toMatchObject({
    code: 409,
    reason: 'booking.notContacted',
  });
  await call();
  expect((await place()).contacted).toBe(true);
  await house.ok(driver, noShow, { bookingId });
  await settle();
  expect((await place()).payment).toMatchObject({ kind: 'noShow', owedCents: 2500, takenCents: 0 });
  house.clock.advance(25 * hourMs);
  await settle();
  expect((await place()).payment).toMatchObject({ takenCents: 2500 });
});

test('a line in the ride’s room is an attempt, and one written before the pick-up was reached is none', async () => {
  const write = (text: string) =>
    house.ok(driver, sendMessage, { roomid: rideId, clientId: crypto.randomUUID(), text });
  await write('On my way');
  house.clock.advance(minuteMs);
  await house.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  expect((await place()).contacted).toBe(false);
  house.clock.advance(minuteMs);
  await write('I am here');
  expect((await place()).contacted).toBe(true);
  house.clock.advance(11 * minuteMs);
  expect((await house.ok(driver, noShow, { bookingId })).booking.state).toBe('missed');
});

test('a driver whose device says that they are elsewhere takes no fee, whatever they type', async () => {
  const far = await house.call(driver, reach, { id: rideId, bookingId, at: home });
  expect(far).toMatchObject({ code: 422, reason: 'order.notThere' });
  // Leaving the position out the second time changes nothing.
  await house.ok(driver, reach, { id: rideId, bookingId, reason: 'gps is broken' });
  expect((await place()).reachedBy).toBe('contradicted');
  house.clock.advance(11 * minuteMs);
  await call();
  await house.ok(driver, noShow, { bookingId });
  house.clock.advance(25 * hourMs);
  await settle();
  expect((await place()).payment).toMatchObject({ takenCents: 0, state: 'canceled' });
});

test('a position that comes later outweighs the words with which a pick-up was reached', async () => {
  await house.ok(driver, reach, { id: rideId, bookingId, reason: 'parking' });
  house.clock.advance(11 * minuteMs);
  await house.ok(driver, tellLocation, { id: rideId, ...home });
  await call();
  await house.ok(driver, noShow, { bookingId });
  house.clock.advance(25 * hourMs);
  await settle();
  expect((await place()).payment).toMatchObject({ takenCents: 0, state: 'canceled' });
});

test('with words alone an objection releases the money at once', async () => {
  await house.ok(driver, reach, { id: rideId, bookingId, reason: 'parking' });
  house.clock.advance(11 * minuteMs);
  await call();
  await house.ok(driver, noShow, { bookingId });
  const dispute = await house.ok(passenger, openDispute, { bookingId, text: 'I was there' });
  expect(dispute).toMatchObject({ state: 'resolved', refundCents: 2500 });
  await settle();
  expect((await place()).payment).toMatchObject({ takenCents: 0, state: 'canceled' });
});

test('with the position an objection waits for an admin', async () => {
  await house.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  house.clock.advance(11 * minuteMs);
  await call();
  await house.ok(driver, noShow, { bookingId });
  const dispute = await house.ok(passenger, openDispute, { bookingId, text: 'I was there' });
  expect(dispute.state).toBe('open');
});

const late = async () => {
  house.clock.moveTo(new Date(Date.parse((await place()).pickup.at) + 16 * minuteMs));
};

test('a reported driver has a day: nothing contradicts it, then the hold is released and the strike counted', async () => {
  await late();
  await house.ok(passenger, reportDriver, { bookingId });
  await settle();
  expect(await place()).toMatchObject({ state: 'missed', payment: { heldCents: 2500 } });
  expect(await strikesOf()).toBe(0);
  house.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', takenCents: 0 });
  expect(await strikesOf()).toBe(1);
});

test('a passenger may report a driver who only says that they are there', async () => {
  await house.ok(driver, reach, { id: rideId, bookingId, reason: 'parking' });
  await late();
  expect((await place()).may).toContain('reportDriver');
  await house.ok(passenger, reportDriver, { bookingId });
  expect(await openDisputeOf()).toBeUndefined();
  house.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', takenCents: 0 });
  expect(await strikesOf()).toBe(1);
});

test('a position at the pick-up contradicts the report: an admin decides, and there is no strike', async () => {
  await house.ok(driver, reach, { id: rideId, bookingId, at: await pickup() });
  await late();
  await house.ok(passenger, reportDriver, { bookingId });
  expect((await openDisputeOf())?.text).toContain('The passenger reported that the driver did not come');
  house.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ kind: 'contested', heldCents: 2500, takenCents: 0 });
  expect(await strikesOf()).toBe(0);
  // Undecided it ends before the hold does.
  house.clock.advance(7 * dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', takenCents: 0 });
});

test('a step that the phone kept without a connection contradicts the report, one done after it does not', async () => {
  const at = await pickup();
  const doneAt = new Date(Date.parse((await place()).pickup.at)).toISOString();
  await late();
  await house.ok(passenger, reportDriver, { bookingId });
  expect(await house.call(driver, reach, { id: rideId, bookingId, at })).toMatchObject({ code: 409 });
  expect(await house.call(driver, reach, { id: rideId, bookingId, at: home, doneAt })).toMatchObject({
    code: 409,
  });
  await house.ok(driver, reach, { id: rideId, bookingId, at, doneAt });
  expect(await openDisputeOf()).toBeDefined();
  house.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ kind: 'contested', heldCents: 2500 });
  expect(await strikesOf()).toBe(0);
});
