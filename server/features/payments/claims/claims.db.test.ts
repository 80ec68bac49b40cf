import { and, eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { listDisputes, openDispute, resolveDispute } from '#contract/payments/endpoints.ts';
import {
  accept,
  arrive,
  askToJoin,
  confirmMeeting,
  depart,
  noShow,
  noteContact,
  orderDetail,
  pickUp,
  reach,
  reportDriver,
} from '#contract/rides/endpoints.ts';
import type { Booking } from '#contract/rides/views.ts';
import { dayMs, minuteMs } from '../../../platform/clock.ts';
import { authorizations, claims } from '../../../schema/payments.ts';
import { addCard, onboard } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestPerson } from '../../../testing/test-app.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

let admin: TestPerson;
let driver: TestPerson;
let passenger: TestPerson;
let rideId: string;
let requestId: string;
let bookingId: string;

/** A paid ride whose driver is at the pick-up, as their device says, after the wait. */
beforeEach(async () => {
  admin = await app.person('Ada', { isAdmin: true });
  driver = await app.person('Dora');
  passenger = await app.person('Pat');
  await onboard(app, driver);
  await addCard(app, passenger);
  const vehicleId = await addVehicle(app, driver);
  rideId = (await publishRide(app, driver, { vehicleId, costCents: 2000 })).id;
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
  const { lon, lat } = (await place()).pickup;
  await app.ok(driver, reach, { id: rideId, bookingId, at: { lon, lat } });
  app.clock.advance(20 * minuteMs);
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
const object = (text: string) => app.ok(passenger, openDispute, { bookingId, text });
const claimsOf = () => app.platform.db.select().from(claims).where(eq(claims.bookingId, bookingId));
const unresolved = async () =>
  (await app.ok(admin, listDisputes, { state: 'all' })).disputes.filter(
    (each) => each.bookingId === bookingId && each.state !== 'resolved',
  );

/** The driver marks a no-show. */
async function miss(): Promise<void> {
  await app.ok(driver, noteContact, { bookingId, kind: 'call' });
  await app.ok(driver, noShow, { bookingId });
}
/** Both confirm that the passenger is on board after all, and the ride ends. */
async function board(): Promise<void> {
  await app.ok(passenger, confirmMeeting, { bookingId });
  await app.ok(driver, pickUp, { bookingId });
}
async function finish(): Promise<void> {
  await app.ok(driver, arrive, { id: rideId });
  await settle();
}

test('an objection to a no-show ends with the boarding: it is closed, and the fare is due', async () => {
  await miss();
  await object('I stand at the corner!');
  await board();
  expect(await unresolved()).toEqual([]);
  expect((await claimsOf())[0]).toMatchObject({ state: 'resolved', refundCents: 0, resolvedById: null });
  expect((await place()).payment).toMatchObject({ kind: 'fare', authorizedCents: 2000, dispute: null });
  await finish();
  expect(await place()).toMatchObject({ state: 'finished', payment: { capturedCents: 2000 } });
});

test('what an admin decides about a ride to come leaves its hold alone', async () => {
  await miss();
  const { id: disputeId } = await object('I stand at the corner!');
  await board();
  // As if boarding had left it open.
  await app.platform.db.update(claims).set({ state: 'open' }).where(eq(claims.id, disputeId));
  const decide = (refundCents: number) =>
    app.call(admin, resolveDispute, { disputeId, refundCents, decision: 'They ride together after all' });
  expect(await decide(100)).toMatchObject({ code: 422, reason: 'dispute.amountTooHigh' });
  expect(await decide(0)).toMatchObject({ code: 200 });
  const current = and(eq(authorizations.bookingId, bookingId), eq(authorizations.isCurrent, true));
  expect(await app.platform.db.select().from(authorizations).where(current)).toMatchObject([
    { goal: 'authorize', state: 'requires_capture', authorizedCents: 2000 },
  ]);
  await finish();
  expect((await place()).payment).toMatchObject({ capturedCents: 2000 });
});

test('after a contested report the ride itself can be objected to, once', async () => {
  await app.ok(passenger, reportDriver, { bookingId });
  expect(await unresolved()).toHaveLength(1);
  await board();
  await finish();
  expect(await unresolved()).toEqual([]);
  expect((await place()).payment?.disputableUntil).not.toBeNull();
  const { id: disputeId } = await object('They drove me to another town.');
  expect((await place()).payment).toMatchObject({ disputableUntil: null, dispute: { id: disputeId } });
  const again = () => app.call(passenger, openDispute, { bookingId, text: 'And late.' });
  expect(await again()).toMatchObject({ code: 409, reason: 'dispute.exists' });
  await app.ok(admin, resolveDispute, { disputeId, refundCents: 500, decision: 'A part' });
  expect(await again()).toMatchObject({ code: 409, reason: 'dispute.exists' });
  await settle();
  expect((await place()).payment).toMatchObject({ capturedCents: 2000, refundedCents: 500 });
  app.clock.advance(dayMs);
});
