import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  answerDispute,
  authorize,
  deleteMethod,
  earnings,
  listDisputes,
  onboardLink,
  openDispute,
  paymentMethods,
  receipts,
  resolveDispute,
  setDefaultMethod,
  setupIntent,
} from '#contract/payments/endpoints.ts';
import { suspendUser } from '#contract/admin/endpoints.ts';
import { deleteAccount } from '#contract/privacy/endpoints.ts';
import { listNews, readNews } from '#contract/notifications/endpoints.ts';
import {
  accept,
  arrive,
  askToJoin,
  cancelOrder,
  cancelPreview,
  confirmMeeting,
  depart,
  noShow,
  noteContact,
  orderDetail,
  pickUp,
  reach,
  reject,
  withdraw,
} from '#contract/rides/endpoints.ts';
import type { Booking, Request, Ride } from '#contract/rides/views.ts';
import { dayMs, hourMs, later, minuteMs } from '../../platform/clock.ts';
import { authorizations, ledgerLines, providerEvents } from '../../schema/payments.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { fickleClient } from '../../testing/fickle-client.ts';
import { addCard, answerPage, onboard, testNumbers } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { setProvedAt } from '../../testing/people.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { standingOf } from './queries.ts';
import { reconcile } from './reconciliation/reconcile.ts';
import { lookForEvents } from './work-due.ts';

const { client, trouble } = fickleClient();
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' }, cardClient: client });
});
afterAll(async () => {
  // At every moment the ledger sums to zero, and says what the provider says.
  const [sum] = await app.platform.db
    .select({ cents: sql<string>`coalesce(sum(${ledgerLines.cents}), 0)` })
    .from(ledgerLines);
  expect(Number(sum!.cents)).toBe(0);
  const compared = await reconcile(app.platform, new Date(0));
  expect(compared.differences).toEqual([]);
  await app.close();
});

async function paidRide(more: Record<string, unknown> = {}) {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const ride = await publishRide(app, driver, { vehicleId, costCents: 2000, ...more });
  return { driver, ride };
}

async function asked(ride: Pick<Ride, 'id' | 'departsAt'>, card?: string) {
  const passenger = await app.person('Passenger');
  if (card !== undefined) await addCard(app, passenger, card);
  const departsAt = new Date(ride.departsAt);
  const request = await publishRequest(app, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return { passenger, requestId: request.id, bookingId: order.bookings[0]!.id };
}

type Joined = Awaited<ReturnType<typeof joined>>;

/** A passenger with a good card who has joined. */
async function joined(ride: Pick<Ride, 'id' | 'departsAt'>, driver: TestPerson) {
  const who = await asked(ride, testNumbers.good);
  const { booking } = await app.ok(driver, accept, { bookingId: who.bookingId });
  expect(booking.state).toBe('joined');
  return { ...who, pickupAt: new Date(booking.pickup.at) };
}

async function bookingOf(who: TestPerson, requestId: string): Promise<Booking> {
  const { order } = await app.ok(who, orderDetail, { id: requestId });
  return (order as Request).bookings.at(-1)!;
}

async function settled(): Promise<void> {
  // The scheduler runs once a second.
  app.clock.advance(2000);
  await app.deliver();
  await app.scheduler.tick();
  await app.deliver();
}

const emailsTo = (who: TestPerson) =>
  app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, who.email));

/** When a ride leaves, as agreed with those on board. */
async function departureOf(driver: TestPerson, ride: Ride): Promise<Date> {
  const { order } = await app.ok(driver, orderDetail, { id: ride.id });
  return new Date((order as Ride).departsAt);
}

/** Takes these people to where they go, and ends the ride. */
async function driven(driver: TestPerson, ride: Ride, people: readonly Joined[]): Promise<void> {
  for (const { passenger, bookingId, requestId } of people) {
    if (passenger === people[0]!.passenger) await reached(driver, ride, bookingId);
    else if ((await bookingOf(passenger, requestId)).state !== 'driver reached')
      await app.ok(driver, reach, { id: ride.id, bookingId, reason: 'At the corner' });
    await app.ok(driver, pickUp, { bookingId });
    await app.ok(passenger, confirmMeeting, { bookingId });
  }
  const { order } = await app.ok(driver, orderDetail, { id: ride.id });
  if (order.state === 'driver reached') await app.ok(driver, depart, { id: ride.id });
  await app.ok(driver, arrive, { id: ride.id });
  await settled();
}

/** Cancels as the app does: what it costs is read, and brought back. */
async function cancelAsShown(passenger: TestPerson, requestId: string): Promise<void> {
  const { seen } = await app.ok(passenger, cancelPreview, { id: requestId });
  await app.ok(passenger, cancelOrder, { id: requestId, seen });
}

/** Takes a ride to its passenger's pick-up. */
async function reached(driver: TestPerson, ride: Ride, bookingId: string): Promise<void> {
  app.clock.moveTo(later(new Date(ride.departsAt), -2 * minuteMs));
  await settled();
  await app.ok(driver, reach, { id: ride.id, reason: 'At the corner' });
  const { order } = await app.ok(driver, orderDetail, { id: ride.id });
  const booking = order.bookings.find(({ id }) => id === bookingId)!;
  if (booking.state !== 'driver reached') await app.ok(driver, depart, { id: ride.id });
  if (booking.state === 'driver reached') return;
  const { lon, lat } = booking.pickup;
  await app.ok(driver, reach, { id: ride.id, bookingId, at: { lon, lat } });
}

test('a share is held when both have said yes, and taken when the ride ends, less the fee', async () => {
  const { driver, ride } = await paidRide();
  const { passenger, requestId, bookingId } = await asked(ride, testNumbers.good);
  const { booking } = await app.ok(driver, accept, { bookingId });
  expect(booking).toMatchObject({
    state: 'joined',
    payment: { state: 'requires_capture', authorizedCents: 2000 },
  });
  expect((await bookingOf(passenger, requestId)).payment).toMatchObject({
    state: 'requires_capture',
    need: null,
    capturedCents: 0,
    disputableUntil: null,
  });
  await reached(driver, ride, bookingId);
  await app.ok(driver, pickUp, { bookingId });
  await app.ok(passenger, confirmMeeting, { bookingId });
  const { order } = await app.ok(driver, orderDetail, { id: ride.id });
  if (order.state === 'driver reached') await app.ok(driver, depart, { id: ride.id });
  await app.ok(driver, arrive, { id: ride.id });
  await settled();
  const paid = (await bookingOf(passenger, requestId)).payment!;
  expect(paid).toMatchObject({ state: 'succeeded', authorizedCents: 0, capturedCents: 2000, kind: 'fare' });
  expect(paid.disputableUntil).not.toBeNull();
  const { receipts: kept } = await app.ok(passenger, receipts, {});
  expect(kept).toMatchObject([
    { bookingId, capturedCents: 2000, card: 'visa •••• 4242', orderNumber: ride.orderNumber },
  ]);
  // 10 % and 2.9 % of $20.00 and 30 cents.
  const brought = await app.ok(driver, earnings, {});
  expect(brought).toMatchObject({
    earnings: [{ grossCents: 2000, feeCents: 288, netCents: 1712, state: 'paid' }],
    netCents: 1712,
    comingCents: 0,
  });
}, 60_000);

test('a driver without a verified account asks for no money; a free ride asks for no card', async () => {
  const driver = await app.person('Driver');
  const vehicleId = await addVehicle(app, driver);
  const refused = publishRide(app, driver, { vehicleId, costCents: 2000 });
  await expect(refused).rejects.toThrow(
    'The connected payment account is not ready: set it up in the payment menu or set the cost to zero.',
  );
  await onboard(app, driver, 'restricted');
  await expect(publishRide(app, driver, { vehicleId, costCents: 2000 })).rejects.toThrow(
    'order.accountNotReady',
  );
  const ride = await publishRide(app, driver, { costCents: 0 });
  const { bookingId } = await asked(ride);
  const { booking } = await app.ok(driver, accept, { bookingId });
  expect(booking).toMatchObject({ state: 'joined', payment: null });
});

test('without a card the seat is kept while the passenger adds one', async () => {
  const { driver, ride } = await paidRide({ seats: 1 });
  const { passenger, requestId, bookingId } = await asked(ride);
  const { booking } = await app.ok(driver, accept, { bookingId });
  expect(booking).toMatchObject({
    state: 'waiting for passenger acceptance',
    awaits: 'payment',
    payment: { state: 'requires_payment_method', need: 'card', reminder: null },
  });
  expect((await app.call(passenger, authorize, { bookingId })).reason).toBe('payment.methodMissing');
  await settled();
  expect((await app.ok(passenger, listNews, {})).news).toMatchObject([
    { kind: 'paymentNeeded', path: `/pages/order/detail?id=${ride.id}` },
  ]);
  // The passenger has just read the notifications: the reminder leaves all the same, once.
  await app.ok(passenger, readNews, { all: true });
  await settled();
  await settled();
  const letters = await emailsTo(passenger);
  expect(letters.map(({ subject }) => subject)).toEqual(['Your ride needs a payment method']);
  expect(letters[0]!.body).toMatch(/ · \$\d+\n {2}Pacific Avenue → Capitola Village/);
  expect(letters[0]!.body).not.toContain('Notification settings');
  // The driver sees when and how the passenger was reminded; the passenger gets no further notification about
  // it.
  const paymentFor = async (who: TestPerson) =>
    ((await app.ok(who, orderDetail, { id: ride.id })).order as Ride).bookings[0]!.payment;
  const reminder = (await paymentFor(driver))!.reminder!;
  expect(reminder.by).toBe('email');
  expect(Math.abs(Date.parse(reminder.at) - letters[0]!.at.getTime())).toBeLessThan(2000);
  expect((await paymentFor(passenger))?.reminder).toBeNull();
  // No other passenger gets its seat.
  const other = await app.person('Other');
  const request = await publishRequest(app, other);
  const late = await app.call(other, askToJoin, { rideId: ride.id, requestId: request.id });
  expect(late.reason).toBe('ride.full');
  await addCard(app, passenger);
  await settled();
  expect(await bookingOf(passenger, requestId)).toMatchObject({
    state: 'joined',
    payment: { state: 'requires_capture' },
  });
});

test('a paid ride is joined when its hold stands: the side that waited for the other is told so, once', async () => {
  const titlesOf = async (who: TestPerson, kind: string) =>
    (await app.ok(who, listNews, {})).news.filter((line) => line.kind === kind).map(({ title }) => title);
  const byDriver = await paidRide();
  const accepted = await joined(byDriver.ride, byDriver.driver);
  await settled();
  expect(await titlesOf(accepted.passenger, 'answer')).toEqual(['Driver accepted your request']);
  expect(await titlesOf(byDriver.driver, 'joined')).toEqual([]);
  const atOnce = await paidRide({ instant: true });
  const booked = await asked(atOnce.ride, testNumbers.good);
  await settled();
  expect(await bookingOf(booked.passenger, booked.requestId)).toMatchObject({ state: 'joined' });
  expect(await titlesOf(atOnce.driver, 'joined')).toEqual(['Passenger joined your ride']);
  expect(await titlesOf(booked.passenger, 'answer')).toEqual([]);
});

test('a passenger who is paying just now gets two minutes before the reminder, and none where the payment is done', async () => {
  const { ride } = await paidRide({ seats: 2, instant: true });
  const { passenger } = await asked(ride);
  const other = await asked(ride);
  await settled();
  expect(await emailsTo(passenger)).toEqual([]);
  await addCard(app, passenger);
  await settled();
  app.clock.advance(2 * minuteMs + 1000);
  await settled();
  await settled();
  expect(await emailsTo(passenger)).toEqual([]);
  expect((await emailsTo(other.passenger)).map(({ subject }) => subject)).toEqual([
    'Your ride needs a payment method',
  ]);
});

test('who pays when the driver stands at the start already is waited for, and nothing is left open if the car never leaves', async () => {
  const { driver, ride } = await paidRide();
  const first = await joined(ride, driver);
  app.clock.moveTo(later(new Date(ride.departsAt), -50 * minuteMs));
  await settled();
  const late = await asked(ride);
  await app.ok(driver, accept, { bookingId: late.bookingId });
  await app.ok(driver, reach, { id: ride.id, reason: 'At the corner' });
  await addCard(app, late.passenger);
  await settled();
  const { order } = await app.ok(driver, orderDetail, { id: ride.id });
  expect(order.state).toBe('driver reached');
  expect(await bookingOf(late.passenger, late.requestId)).toMatchObject({ state: 'waiting' });
  app.clock.moveTo(later(new Date(ride.departsAt), 4 * hourMs));
  await settled();
  // For this time it may still turn out that the car was there.
  app.clock.advance(24 * hourMs);
  await settled();
  await settled();
  for (const { passenger, requestId } of [first, late])
    expect(await bookingOf(passenger, requestId)).toMatchObject({
      state: 'missed',
      payment: { state: 'canceled', capturedCents: 0 },
    });
});

test('a kept seat is free again when its payment does not come, and nothing is owed', async () => {
  const { driver, ride } = await paidRide({ seats: 1 });
  const { passenger, requestId, bookingId } = await asked(ride);
  await app.ok(driver, accept, { bookingId });
  app.clock.advance(121 * minuteMs);
  await settled();
  const over = await bookingOf(passenger, requestId);
  expect(over).toMatchObject({
    state: 'expired',
    payment: { state: 'canceled', capturedCents: 0, need: null },
  });
  expect((await app.ok(driver, orderDetail, { id: ride.id })).order).toMatchObject({
    state: 'matching',
    seatsFree: 1,
  });
});

test('a card that asks its holder, and one that is refused: the passenger confirms, or takes another', async () => {
  const { driver, ride } = await paidRide();
  const asks = await asked(ride, testNumbers.asksAlways);
  const waits = await app.ok(driver, accept, { bookingId: asks.bookingId });
  expect(waits.booking).toMatchObject({
    state: 'waiting for passenger acceptance',
    payment: { need: 'confirmation', actionUrl: null, declineCode: null },
  });
  const ready = await app.ok(asks.passenger, authorize, { bookingId: asks.bookingId });
  expect(ready).toMatchObject({ state: 'requires_action', need: 'confirmation' });
  await answerPage(app, ready.actionUrl!, { answer: 'yes' });
  const held = await app.ok(asks.passenger, authorize, { bookingId: asks.bookingId });
  expect(held).toMatchObject({ state: 'requires_capture', authorizedCents: 2000 });
  expect((await bookingOf(asks.passenger, asks.requestId)).state).toBe('joined');

  const refused = await asked(ride, testNumbers.refusedOnCharge);
  const { booking } = await app.ok(driver, accept, { bookingId: refused.bookingId });
  expect(booking).toMatchObject({ awaits: 'payment', payment: { need: 'anotherCard' } });
  const again = await app.call(refused.passenger, authorize, { bookingId: refused.bookingId });
  expect(again).toMatchObject({
    code: 409,
    reason: 'payment.failed',
    info: 'Payment failed, please try again.',
    data: { declineCode: 'generic_decline' },
  });
  const { id: methodId } = await addCard(app, refused.passenger);
  await app.ok(refused.passenger, authorize, { bookingId: refused.bookingId, methodId });
  expect(await bookingOf(refused.passenger, refused.requestId)).toMatchObject({
    state: 'joined',
    payment: { state: 'requires_capture', authorizedCents: 2000 },
  });
}, 60_000);

test('what is heard late of a refusal does not undo the passenger’s yes to the next try', async () => {
  const { driver, ride } = await paidRide();
  const { passenger, requestId, bookingId } = await asked(ride, testNumbers.asksAlways);
  const { booking } = await app.ok(driver, accept, { bookingId });
  expect(booking.payment).toMatchObject({ need: 'confirmation' });
  const { makeRequest } = client;
  const spy = vi.spyOn(client, 'makeRequest').mockImplementation(async (...request) => {
    if (request[2].endsWith('/confirm')) throw new Error('nobody listens');
    return makeRequest.apply(client, request);
  });
  expect((await app.call(passenger, authorize, { bookingId })).reason).toBe('payment.unavailable');
  spy.mockRestore();
  // The provider tells of its first refusal once more.
  await app.platform.db.delete(providerEvents);
  await lookForEvents(app.platform);
  app.clock.advance(minuteMs);
  await settled();
  expect((await bookingOf(passenger, requestId)).payment).toMatchObject({
    state: 'requires_action',
    need: 'confirmation',
  });
}, 60_000);

test('a driver who can no longer be paid: both read so in their own words, and it goes on once they can', async () => {
  const { driver, ride } = await paidRide();
  await onboard(app, driver, 'restricted');
  const { passenger, requestId, bookingId } = await asked(ride, testNumbers.good);
  const { booking } = await app.ok(driver, accept, { bookingId });
  const need = 'driverAccount';
  expect(booking).toMatchObject({ awaits: 'payment', payment: { need, declineCode: null } });
  expect(await bookingOf(passenger, requestId)).toMatchObject({ payment: { need, declineCode: null } });
  expect(await app.call(passenger, authorize, { bookingId })).toMatchObject({
    code: 409,
    reason: 'payment.driverAccount',
    info: 'The driver’s account can’t take payments right now.',
  });
  await app.deliver();
  const titlesOf = async (who: TestPerson) =>
    (await app.ok(who, listNews, {})).news.map(({ title }) => title);
  expect(await titlesOf(driver)).toContain(
    'The connected payment account is not ready: set it up in the payment menu or set the cost to zero.',
  );
  expect(await titlesOf(passenger)).toContain('Driver’s account can’t take payments right now');
  expect(await titlesOf(passenger)).not.toContain('Your ride needs a payment method');

  await onboard(app, driver, 'verified');
  await settled();
  await settled();
  expect(await bookingOf(passenger, requestId)).toMatchObject({
    state: 'joined',
    payment: { state: 'requires_capture', authorizedCents: 2000 },
  });
}, 60_000);

test('far ahead a saved card is enough; the hold is placed three days before, and mended where it fails', async () => {
  const departsAt = later(app.clock.now(), 9 * dayMs).toISOString();
  const { driver, ride } = await paidRide({ departsAt });
  const good = await asked(ride, testNumbers.good);
  const bad = await asked(ride, testNumbers.refusedOnCharge);
  for (const { bookingId } of [good, bad]) {
    const { booking } = await app.ok(driver, accept, { bookingId });
    expect(booking).toMatchObject({
      state: 'joined',
      payment: { state: 'requires_confirmation', authorizedCents: 0 },
    });
    expect(booking.payment!.holdAt).not.toBeNull();
  }
  app.clock.moveTo(later(new Date(ride.departsAt), -3 * dayMs + 20 * minuteMs));
  await settled();
  await settled();
  expect(await bookingOf(good.passenger, good.requestId)).toMatchObject({
    state: 'joined',
    payment: { state: 'requires_capture', authorizedCents: 2000 },
  });
  expect(await bookingOf(bad.passenger, bad.requestId)).toMatchObject({
    state: 'waiting for passenger acceptance',
    awaits: 'payment',
    payment: { need: 'anotherCard' },
  });
  const { order } = await app.ok(bad.passenger, orderDetail, { id: bad.requestId });
  expect(order.state).toBe('inviting');
  await addCard(app, bad.passenger);
  const [newest] = (await app.ok(bad.passenger, paymentMethods, {})).methods;
  await app.ok(bad.passenger, authorize, { bookingId: bad.bookingId, methodId: newest!.id });
  expect((await app.ok(bad.passenger, orderDetail, { id: bad.requestId })).order.state).toBe('joined');
}, 60_000);

test.each([
  ['more than 24 hours before departure', 24 * hourMs + 1000, 0, 0],
  ['24 hours before departure', 24 * hourMs, 50, 1000],
  ['minutes after joining', 10 * hourMs, 50, 1000],
  ['2 hours and a second before departure', 2 * hourMs + 1000, 50, 1000],
  ['2 hours before departure', 2 * hourMs, 100, 2000],
])('cancelling %s', async (_when, beforeMs, percent, feeCents) => {
  const ahead = Math.min(40 * hourMs, beforeMs + minuteMs);
  const { driver, ride } = await paidRide({ departsAt: later(app.clock.now(), ahead).toISOString() });
  const { passenger, requestId } = await joined(ride, driver);
  app.clock.moveTo(later(await departureOf(driver, ride), -beforeMs));
  const preview = await app.ok(passenger, cancelPreview, { id: requestId });
  expect(preview).toMatchObject({ feeCents, fareCents: 2000, percent, isGrace: false });
  await app.ok(passenger, cancelOrder, { id: requestId, seen: preview.seen });
  await settled();
  expect((await bookingOf(passenger, requestId)).payment).toMatchObject({
    state: feeCents === 0 ? 'canceled' : 'succeeded',
    authorizedCents: 0,
    capturedCents: feeCents,
  });
});

test('for two minutes the fee that was shown is the fee that is taken; then the new one is shown first', async () => {
  const { driver, ride } = await paidRide({
    departsAt: later(app.clock.now(), 25 * hourMs).toISOString(),
  });
  const [early, late] = [await joined(ride, driver), await joined(ride, driver)];
  const departsAt = await departureOf(driver, ride);
  app.clock.moveTo(later(departsAt, -24 * hourMs - 30_000));
  const shown = await app.ok(early.passenger, cancelPreview, { id: early.requestId });
  const seenLate = await app.ok(late.passenger, cancelPreview, { id: late.requestId });
  expect(shown.feeCents).toBe(0);
  app.clock.advance(minuteMs);
  await app.ok(early.passenger, cancelOrder, { id: early.requestId, seen: shown.seen });
  await settled();
  expect((await bookingOf(early.passenger, early.requestId)).payment).toMatchObject({
    state: 'canceled',
    capturedCents: 0,
  });
  // An older preview was seen too long ago.
  app.clock.advance(minuteMs + 1000);
  const refused = await app.call(late.passenger, cancelOrder, { id: late.requestId, seen: seenLate.seen });
  expect(refused).toMatchObject({
    code: 409,
    reason: 'order.feeChanged',
    data: { preview: { feeCents: 1000, percent: 50 } },
  });
  expect((await bookingOf(late.passenger, late.requestId)).state).toBe('joined');
  const { seen } = await app.ok(late.passenger, cancelPreview, { id: late.requestId });
  // No one chooses their fee: not by leaving it out, by another’s, or by writing one.
  const [cents, at, signature] = seen.split('.');
  for (const written of [
    '',
    'x',
    shown.seen,
    `0.${at}.${signature}`,
    `${cents}.${Number(at) + 1}.${signature}`,
    `${cents}.${at}.${signature}A`,
  ])
    expect(await app.call(late.passenger, cancelOrder, { id: late.requestId, seen: written })).toMatchObject({
      code: 409,
      reason: 'order.feeChanged',
    });
  await app.ok(late.passenger, cancelOrder, { id: late.requestId, seen });
  await settled();
  expect((await bookingOf(late.passenger, late.requestId)).payment).toMatchObject({ capturedCents: 1000 });
}, 60_000);

test('an amount that no card provider takes is waived, and locks nobody out', async () => {
  const { driver, ride } = await paidRide({
    costCents: 98,
    departsAt: later(app.clock.now(), 4 * hourMs).toISOString(),
  });
  const { passenger, requestId } = await joined(ride, driver);
  // Half of 98 cents is 49: a cent below the least.
  await cancelAsShown(passenger, requestId);
  await settled();
  expect((await bookingOf(passenger, requestId)).payment).toMatchObject({
    state: 'canceled',
    capturedCents: 0,
    owedCents: 0,
    need: null,
  });
  const [authorization] = await app.platform.db
    .select()
    .from(authorizations)
    .where(eq(authorizations.requestId, requestId));
  const waived = await app.platform.db
    .select()
    .from(ledgerLines)
    .where(and(eq(ledgerLines.authorizationId, authorization!.id), eq(ledgerLines.what, 'waived')));
  expect(waived.map(({ account, cents }) => [account, cents])).toEqual([
    ['waived', 49],
    ['drivers.waived', -49],
  ]);
  const standing = await app.platform.transact('test', (tx) => standingOf(tx, passenger.id));
  expect(standing).toEqual({ owes: false, isBlocked: false });
});

test('leaving Sameway takes no fee that was not shown: the place is canceled first, where the fee is read', async () => {
  const { driver, ride } = await paidRide({ departsAt: later(app.clock.now(), 3 * hourMs).toISOString() });
  const { passenger, requestId } = await joined(ride, driver);
  expect(await app.call(passenger, deleteAccount, {})).toMatchObject({
    code: 409,
    reason: 'privacy.feeDue',
  });
  expect(await bookingOf(passenger, requestId)).toMatchObject({
    state: 'joined',
    payment: { capturedCents: 0 },
  });
  await cancelAsShown(passenger, requestId);
  expect((await app.call(passenger, deleteAccount, {})).code).toBe(200);
});

test('whom an admin suspends pays no fee for the rides that are taken back', async () => {
  const { driver, ride } = await paidRide({
    departsAt: later(app.clock.now(), 3 * hourMs).toISOString(),
  });
  const { passenger, requestId } = await joined(ride, driver);
  const admin = await app.person('Admin', { isAdmin: true });
  await app.ok(admin, suspendUser, { id: passenger.id, suspended: true, reason: 'Rude' });
  await settled();
  const [authorization] = await app.platform.db
    .select()
    .from(authorizations)
    .where(eq(authorizations.requestId, requestId));
  expect(authorization).toMatchObject({ state: 'canceled', authorizedCents: 0, capturedCents: 0 });
  const { order } = await app.ok(driver, orderDetail, { id: ride.id });
  expect(order.bookings[0]).toMatchObject({ state: 'cancel' });
});

test('a driver who cancels or rejects, and a passenger who withdraws an ask, costs nobody anything', async () => {
  const { driver, ride } = await paidRide();
  const one = await joined(ride, driver);
  const other = await asked(ride, testNumbers.good);
  await app.ok(driver, reject, { bookingId: other.bookingId, reason: 'Full of luggage' });
  const third = await asked(ride, testNumbers.good);
  await app.ok(third.passenger, withdraw, { bookingId: third.bookingId });
  app.clock.moveTo(later(one.pickupAt, -hourMs));
  await app.ok(driver, cancelOrder, { id: ride.id, reason: 'The car broke down' });
  await settled();
  expect((await bookingOf(one.passenger, one.requestId)).payment).toMatchObject({
    state: 'canceled',
    capturedCents: 0,
  });
  for (const { passenger, requestId } of [other, third]) {
    expect((await bookingOf(passenger, requestId)).payment).toBeNull();
    expect(await app.platform.db.$count(authorizations, eq(authorizations.requestId, requestId))).toBe(0);
  }
});

test('who does not come owes the share a day later, unless an admin decides otherwise', async () => {
  const { driver, ride } = await paidRide();
  const { passenger, requestId, bookingId } = await joined(ride, driver);
  await reached(driver, ride, bookingId);
  app.clock.advance(40 * minuteMs);
  await app.ok(driver, noteContact, { bookingId, kind: 'call' });
  await app.ok(driver, noShow, { bookingId });
  await settled();
  const missed = await bookingOf(passenger, requestId);
  expect(missed).toMatchObject({
    state: 'missed',
    payment: { authorizedCents: 2000, owedCents: 2000, kind: 'noShow' },
  });
  const claim = await app.ok(passenger, openDispute, { bookingId, text: 'I stood there' });
  expect((await app.call(passenger, openDispute, { bookingId, text: 'Again' })).reason).toBe(
    'dispute.exists',
  );
  expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({ state: 'disputed' });
  await app.ok(driver, answerDispute, { disputeId: claim.id, text: 'Nobody was there' });
  // A disputed fare is not captured while the authorization lasts.
  app.clock.advance(30 * hourMs);
  await settled();
  expect((await bookingOf(passenger, requestId)).payment!.capturedCents).toBe(0);
  const admin = await app.person('Admin', { isAdmin: true });
  const input = { disputeId: claim.id, decision: 'The driver waited on the other side' };
  await setProvedAt(app.platform, admin.id, later(app.clock.now(), -11 * minuteMs));
  expect((await app.call(admin, resolveDispute, { ...input, refundCents: 1500 })).reason).toBe(
    'session.stepUp',
  );
  expect((await app.ok(admin, listDisputes, {})).disputes.at(-1)).toMatchObject({ state: 'answered' });
  await setProvedAt(app.platform, admin.id, app.clock.now());
  expect((await app.call(admin, resolveDispute, { ...input, refundCents: 2001 })).reason).toBe(
    'dispute.amountTooHigh',
  );
  await app.ok(admin, resolveDispute, { ...input, refundCents: 1500 });
  expect((await app.call(admin, resolveDispute, { ...input, refundCents: 0 })).reason).toBe('dispute.moved');
  await settled();
  expect((await bookingOf(passenger, requestId)).payment).toMatchObject({
    state: 'succeeded',
    capturedCents: 500,
  });
  const { disputes } = await app.ok(admin, listDisputes, {});
  expect(disputes.at(-1)).toMatchObject({ state: 'resolved', refundCents: 1500 });
}, 60_000);

test('what was taken can be given back in part, each side its share', async () => {
  const { driver, ride } = await paidRide({ departsAt: later(app.clock.now(), 30 * hourMs).toISOString() });
  const { passenger, requestId, bookingId, pickupAt } = await joined(ride, driver);
  app.clock.moveTo(later(pickupAt, -5 * hourMs));
  await cancelAsShown(passenger, requestId);
  await settled();
  const claim = await app.ok(passenger, openDispute, { bookingId, text: 'I was ill' });
  const admin = await app.person('Admin', { isAdmin: true });
  await app.ok(admin, resolveDispute, { disputeId: claim.id, decision: 'Half', refundCents: 500 });
  await settled();
  expect((await bookingOf(passenger, requestId)).payment).toMatchObject({
    capturedCents: 1000,
    refundedCents: 500,
  });
  expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({
    grossCents: 1000,
    refundedCents: 500,
    state: 'refunded',
  });
});

test.each(['away', 'answerLost'] as const)(
  'a provider that is %s: nothing is lost, nothing is done twice',
  async (how) => {
    const { driver, ride } = await paidRide();
    const { passenger, requestId, bookingId } = await asked(ride, testNumbers.good);
    trouble.is = how;
    const { booking } = await app.ok(driver, accept, { bookingId });
    expect(booking).toMatchObject({ state: 'waiting for passenger acceptance', awaits: 'payment' });
    trouble.is = 'none';
    app.clock.advance(minuteMs);
    await settled();
    expect(await bookingOf(passenger, requestId)).toMatchObject({
      state: 'joined',
      payment: { state: 'requires_capture', authorizedCents: 2000 },
    });
    const { provider } = app.platform.payments;
    const listed = await provider.events(null);
    const placed =
      listed.outcome === 'done'
        ? listed.value.items.filter(
            ({ type, about }) =>
              type === 'payment_intent.amount_capturable_updated' && about.metadata['booking'] === bookingId,
          )
        : [];
    expect(placed).toHaveLength(1);
  },
  60_000,
);

test('a driver who takes somebody on board and says nothing any more is paid when the ride should be over', async () => {
  const { driver, ride } = await paidRide();
  const passenger = await app.person('Passenger');
  await addCard(app, passenger);
  // At the starting point, so that the ride has not left while they get in.
  const request = await publishRequest(app, passenger, { from: spots.westside });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  app.clock.moveTo(later(new Date(ride.departsAt), -2 * minuteMs));
  await settled();
  await app.ok(driver, reach, { id: ride.id, reason: 'At the corner' });
  await app.ok(driver, pickUp, { bookingId });
  await app.ok(passenger, confirmMeeting, { bookingId });
  app.clock.advance(4 * hourMs);
  for (let round = 0; round < 3; round++) await settled();
  expect((await app.ok(driver, orderDetail, { id: ride.id })).order.state).toBe('finished');
  expect(await bookingOf(passenger, request.id)).toMatchObject({
    state: 'finished',
    payment: { state: 'succeeded', capturedCents: 2000, authorizedCents: 0 },
  });
});

test('a car’s price is shared: the hold is the ceiling, what is taken is the final share', async () => {
  const { driver, ride } = await paidRide({ priceKind: 'perCar', costCents: 2501 });
  const [one, two] = [await joined(ride, driver), await joined(ride, driver)];
  for (const { passenger, requestId } of [one, two])
    expect(await bookingOf(passenger, requestId)).toMatchObject({
      fareCents: 2501,
      leastCents: 833,
      payment: { authorizedCents: 2501 },
    });
  await driven(driver, ride, [one, two]);
  for (const [{ passenger, requestId }, cents] of [
    [one, 1251],
    [two, 1250],
  ] as const)
    expect(await bookingOf(passenger, requestId)).toMatchObject({
      state: 'finished',
      fareCents: cents,
      leastCents: cents,
      payment: { state: 'succeeded', capturedCents: cents, authorizedCents: 0 },
    });
}, 60_000);

test('a friend who joins and leaves again makes a car no cheaper', async () => {
  const { driver, ride } = await paidRide({
    priceKind: 'perCar',
    costCents: 2500,
    departsAt: later(app.clock.now(), 40 * hourMs).toISOString(),
  });
  const [one, friend] = [await joined(ride, driver), await joined(ride, driver)];
  await app.ok(friend.passenger, cancelOrder, { id: friend.requestId });
  await driven(driver, ride, [one]);
  expect((await bookingOf(one.passenger, one.requestId)).payment).toMatchObject({ capturedCents: 2500 });
  expect((await bookingOf(friend.passenger, friend.requestId)).payment).toMatchObject({ capturedCents: 0 });
}, 60_000);

test('who cancels late pays a share as it stood, and no one else pays that part again', async () => {
  const { driver, ride } = await paidRide({ priceKind: 'perCar', costCents: 2500 });
  const [one, two] = [await joined(ride, driver), await joined(ride, driver)];
  app.clock.moveTo(later(await departureOf(driver, ride), -hourMs));
  await cancelAsShown(one.passenger, one.requestId);
  await driven(driver, ride, [two]);
  expect((await bookingOf(one.passenger, one.requestId)).payment).toMatchObject({ capturedCents: 1250 });
  expect((await bookingOf(two.passenger, two.requestId)).payment).toMatchObject({ capturedCents: 1250 });
}, 60_000);

test('what the card provider refuses of a card or an account is told in the specification’s words', async () => {
  const { provider } = app.platform.payments;
  const refused = { outcome: 'refused', code: 'resource_missing', message: 'No such thing' } as const;
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const { id } = await addCard(app, passenger);
  const choosing = vi.spyOn(provider, 'setDefaultCard').mockResolvedValue(refused);
  const removing = vi.spyOn(provider, 'removeCard').mockResolvedValue(refused);
  for (const endpoint of [setDefaultMethod, deleteMethod])
    expect(await app.call(passenger, endpoint, { id })).toMatchObject({
      reason: 'payment.methodFailed',
      info: 'Failed to delete or set a default payment method.',
    });
  const saving = vi.spyOn(provider, 'startCard').mockResolvedValue(refused);
  const opening = vi.spyOn(provider, 'createAccount').mockResolvedValue(refused);
  for (const answer of [await app.call(passenger, setupIntent, {}), await app.call(driver, onboardLink, {})])
    expect(answer).toMatchObject({
      reason: 'payment.registrationFailed',
      info: 'Payment registration failed, please try again.',
    });
  for (const spy of [choosing, removing, saving, opening]) spy.mockRestore();
  // The card is still there, and can be taken away now.
  expect((await app.ok(passenger, paymentMethods, {})).methods).toMatchObject([{ id, isDefault: true }]);
  expect((await app.ok(passenger, deleteMethod, { id })).methods).toEqual([]);
});

test('the ledger cannot be changed, and takes no entry that does not sum to zero', async () => {
  const { db } = app.platform;
  await expect(db.update(ledgerLines).set({ cents: 1 }).where(eq(ledgerLines.id, 1))).rejects.toThrow();
  await expect(db.delete(ledgerLines)).rejects.toThrow();
  const line = {
    account: 'cards',
    cents: 5,
    authorizationId: crypto.randomUUID(),
    what: 'taken',
    at: new Date(),
  } as const;
  await expect(db.insert(ledgerLines).values({ ...line, entryId: crypto.randomUUID() })).rejects.toThrow();
});
