import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '#contract/admin/endpoints.ts';
import {
  breakOff,
  breakOffAsAdmin,
  breakOffPreview,
  listBrokenRides,
  settleBroken,
} from '#contract/trips/interrupted-rides.ts';
import { rescue, tellLocation } from '#contract/trips/endpoints.ts';
import { listNews } from '#contract/notifications/endpoints.ts';
import { openDispute, receipts } from '#contract/payments/endpoints.ts';
import {
  accept,
  askToJoin,
  cancelOrder,
  confirmMeeting,
  depart,
  orderDetail,
  pickUp,
  reach,
} from '#contract/rides/endpoints.ts';
import type { Booking, Request, Ride } from '#contract/rides/views.ts';
import { dayMs, hourMs, later, minuteMs } from '../../platform/clock.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { ledgerLines } from '../../schema/payments.ts';
import { strikes } from '../../schema/moderation.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { addCard, onboard, testNumbers } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { reconcile } from '../payments/reconciliation/reconcile.ts';

const fareCents = 2000;
let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' } });
  admin = await app.person('Admin', { isAdmin: true });
});
afterAll(async () => {
  const [sum] = await app.platform.db
    .select({ cents: sql<string>`coalesce(sum(${ledgerLines.cents}), 0)` })
    .from(ledgerLines);
  expect(Number(sum!.cents)).toBe(0);
  expect((await reconcile(app.platform, new Date(0))).differences).toEqual([]);
  await app.close();
});

interface Aboard {
  passenger: TestPerson;
  requestId: string;
  bookingId: string;
}

async function settled(): Promise<void> {
  app.clock.advance(2000);
  await app.deliver();
  await app.scheduler.tick();
  await app.deliver();
}

async function joined(driver: TestPerson, ride: Ride, way: object = {}): Promise<Aboard> {
  const passenger = await app.person('Passenger');
  await addCard(app, passenger, testNumbers.good);
  const departsAt = new Date(ride.departsAt);
  const request = await publishRequest(app, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
    ...way,
  });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  return { passenger, requestId: request.id, bookingId };
}

/** A paid ride that has left: the first passenger is on board, the second waits farther along the route. */
async function underWay({ picksUp = true } = {}) {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const ride = await publishRide(app, driver, { vehicleId, costCents: fareCents });
  const first = await joined(driver, ride);
  const second = await joined(driver, ride, { from: spots.capitola, to: spots.aptos });
  app.clock.moveTo(later(new Date(ride.departsAt), -2 * minuteMs));
  await settled();
  const reason = 'At the corner';
  await app.ok(driver, reach, { id: ride.id, reason });
  app.clock.moveTo(new Date(ride.departsAt));
  await app.ok(driver, depart, { id: ride.id });
  if (picksUp) {
    const { bookingId, passenger } = first;
    await app.ok(driver, reach, { id: ride.id, bookingId, reason });
    await app.ok(driver, pickUp, { bookingId });
    await app.ok(passenger, confirmMeeting, { bookingId });
  }
  return { driver, ride, first, second };
}

const requestOf = async ({ passenger, requestId }: Aboard) =>
  (await app.ok(passenger, orderDetail, { id: requestId })).order as Request;
const bookingOf = async (who: Aboard): Promise<Booking> =>
  (await requestOf(who)).bookings.find(({ id }) => id === who.bookingId)!;
const strikesOf = ({ id }: TestPerson) => app.platform.db.$count(strikes, eq(strikes.driverId, id));
const rowOf = async (rideId: string) =>
  (await app.ok(admin, listBrokenRides, {})).rides.find((each) => each.rideId === rideId)!;

type UnderWay = Awaited<ReturnType<typeof underWay>>;

/**
 * The preview for a driver before they end the ride: by the last stop, by a place they choose, and by their
 * device.
 */
async function previewBreakdown({ driver, ride, first }: UnderWay) {
  // No position is known at first: the last stop the car has left is the first passenger's pick-up.
  expect(await app.ok(driver, breakOffPreview, { id: ride.id })).toMatchObject({
    may: true,
    source: 'stop',
    notPicked: 1,
    strike: true,
    objectHours: 24,
    aboard: [{ bookingId: first.bookingId, riddenMetres: 0, shareCents: 0, fareCents }],
  });
  const { soquel, capitola } = spots;
  const chosen = await app.ok(driver, breakOffPreview, {
    id: ride.id,
    lon: capitola.lon,
    lat: capitola.lat,
  });
  expect(chosen).toMatchObject({ source: 'chosen', aboard: [{ bookingId: first.bookingId }] });
  expect(chosen.aboard[0]!.shareCents).toBeGreaterThan(0.9 * fareCents);
  // The device's position counts before a chosen place.
  await app.ok(driver, tellLocation, { id: ride.id, lon: soquel.lon, lat: soquel.lat });
  const preview = await app.ok(driver, breakOffPreview, {
    id: ride.id,
    lon: capitola.lon,
    lat: capitola.lat,
  });
  const [own] = preview.aboard;
  expect(preview.source).toBe('position');
  expect(own!.shareCents).toBe(Math.floor((fareCents * own!.riddenMetres) / own!.routeMetres));
  expect(own!.shareCents).toBeGreaterThan(0);
  expect(own!.shareCents).toBeLessThan(fareCents);
  return { preview, own: own! };
}

/** Only a day later the passenger on board pays what was ridden. */
async function expectPaidADayLater(
  { ride, first }: UnderWay,
  {
    shareCents,
    riddenMetres,
    routeMetres,
  }: { shareCents: number; riddenMetres: number; routeMetres: number },
): Promise<void> {
  app.clock.advance(23 * hourMs);
  await settled();
  expect((await bookingOf(first)).payment).toMatchObject({ capturedCents: 0 });
  app.clock.advance(hourMs);
  await settled();
  expect(await bookingOf(first)).toMatchObject({
    broken: { settledCents: shareCents },
    payment: { state: 'succeeded', capturedCents: shareCents, authorizedCents: 0 },
  });
  expect((await app.ok(first.passenger, receipts, { bookingId: first.bookingId })).receipts).toMatchObject([
    { kind: 'partWay', capturedCents: shareCents, ridden: { riddenMetres, routeMetres } },
  ]);
  expect((await rowOf(ride.id)).aboard[0]).toMatchObject({ settledCents: shareCents, maySettle: false });
  expect(
    await app.call(admin, settleBroken, { bookingId: first.bookingId, shareCents: 0, note: 'Late' }),
  ).toMatchObject({ code: 409, reason: 'broken.settled' });
}

test('a breakdown: who waits is let go free, who sits in the car pays what was ridden, a day later, and goes on from there', async () => {
  const trip = await underWay();
  const { driver, ride, first, second } = trip;
  expect((await app.call(first.passenger, breakOffPreview, { id: ride.id })).code).toBe(404);
  const { preview, own } = await previewBreakdown(trip);
  const { shareCents } = own;

  const other = await app.person('Other driver');
  const rescuing = await publishRide(app, other, {
    from: spots.soquel,
    departsAt: later(app.clock.now(), 20 * minuteMs).toISOString(),
    flexMinutes: 30,
  });
  const { order } = await app.ok(driver, breakOff, { id: ride.id, kind: 'breakdown', reason: '' });
  expect(order).toMatchObject({ state: 'cancel', stage: 'Completed', may: [] });
  await settled();

  const waiting = await bookingOf(second);
  expect(waiting).toMatchObject({
    state: 'cancel',
    broken: null,
    reason: 'breakdown',
    payment: { state: 'canceled', capturedCents: 0, authorizedCents: 0 },
  });
  expect(await requestOf(second)).toMatchObject({ state: 'matching' });

  const request = await requestOf(first);
  expect(request).toMatchObject({ state: 'matching', from: { name: preview.place } });
  expect(Date.parse(request.latestAt)).toBeGreaterThan(app.clock.now().getTime() + 59 * minuteMs);
  const booking = await bookingOf(first);
  expect(booking).toMatchObject({
    state: 'cancel',
    pickup: { name: spots.downtown.name },
    broken: { kind: 'breakdown', shareCents, settledCents: null, source: 'position', note: '' },
    payment: {
      kind: 'partWay',
      state: 'requires_capture',
      authorizedCents: fareCents,
      owedCents: shareCents,
      capturedCents: 0,
    },
  });
  const offered = await app.ok(first.passenger, rescue, { id: first.requestId });
  expect(offered.because).toBe('brokenOff');
  expect(offered.candidates.map((each) => each.ride.id)).toContain(rescuing.id);
  const letters = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, first.passenger.email));
  expect(letters.filter(({ subject }) => subject.includes('can’t continue'))).toHaveLength(1);
  const { news } = await app.ok(first.passenger, listNews, {});
  expect(news.map(({ title }) => title)).toContain(
    `Driver’s ride ended early: you pay $${(shareCents / 100).toFixed(2)} for the part you rode`,
  );
  // A breakdown is no strike; admins see it all the same.
  expect(await strikesOf(driver)).toBe(0);
  expect(await rowOf(ride.id)).toMatchObject({
    kind: 'breakdown',
    by: 'driver',
    ofDriver: 1,
    aboard: [{ bookingId: first.bookingId, shareCents, settledCents: null, maySettle: true }],
  });

  await expectPaidADayLater(trip, own);
});

test('an admin settles for less, with a reason and a line in the log; the rest goes back at once', async () => {
  const { driver, ride, first } = await underWay();
  await app.ok(driver, breakOff, { id: ride.id, kind: 'safety', reason: 'Smoke', place: spots.soquel });
  const { shareCents, source } = (await bookingOf(first)).broken!;
  expect(source).toBe('chosen');
  await app.ok(first.passenger, openDispute, { bookingId: first.bookingId, text: 'We stood at the start' });
  const settle = (cents: number, note = '') =>
    app.call(admin, settleBroken, { bookingId: first.bookingId, shareCents: cents, note });
  expect(await settle(shareCents + 1)).toMatchObject({ code: 422, reason: 'broken.amountTooHigh' });
  expect(await settle(shareCents - 100)).toMatchObject({ code: 422, reason: 'broken.reasonMissing' });
  expect((await settle(300, 'The photo shows where')).code).toBe(200);
  expect((await settle(200, 'Again')).code).toBe(409);
  await settled();
  expect(await bookingOf(first)).toMatchObject({
    broken: { settledCents: 300, note: 'The photo shows where' },
    payment: {
      capturedCents: 300,
      authorizedCents: 0,
      dispute: { state: 'resolved', refundCents: shareCents - 300, decision: 'The photo shows where' },
    },
  });
  const { entries } = await app.ok(admin, listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'share.settled', person: { id: first.passenger.id } });
  expect(entries[0]!.note).toBe('$3.00: The photo shows where');
});

test('what somebody objects to and nobody decides is not taken', async () => {
  const { driver, ride, first } = await underWay();
  await app.ok(driver, breakOff, { id: ride.id, kind: 'breakdown', reason: '', place: spots.soquel });
  expect((await bookingOf(first)).payment!.owedCents).toBeGreaterThan(0);
  await app.ok(first.passenger, openDispute, { bookingId: first.bookingId, text: 'Not that far' });
  app.clock.advance(2 * dayMs);
  await settled();
  expect((await bookingOf(first)).payment).toMatchObject({ capturedCents: 0, state: 'requires_capture' });
  app.clock.advance(7 * dayMs);
  await settled();
  await settled();
  expect(await bookingOf(first)).toMatchObject({
    broken: { settledCents: 0 },
    payment: { capturedCents: 0, authorizedCents: 0, state: 'canceled', dispute: { state: 'resolved' } },
  });
});

test('what has been taken is objected to like any other payment: nothing goes back by itself', async () => {
  const { driver, ride, first } = await underWay();
  const { bookingId, passenger } = first;
  await app.ok(driver, breakOff, { id: ride.id, kind: 'breakdown', reason: '', place: spots.soquel });
  const { shareCents } = (await bookingOf(first)).broken!;
  await app.ok(admin, settleBroken, { bookingId, shareCents, note: '' });
  await app.ok(passenger, openDispute, { bookingId, text: 'Not that far' });
  await settled();
  await settled();
  expect(await bookingOf(first)).toMatchObject({
    broken: { settledCents: shareCents },
    payment: { capturedCents: shareCents, refundedCents: 0, dispute: { state: 'open' } },
  });
});

test('before anybody is on board it is a cancellation; another reason wants words and counts against the driver', async () => {
  const { driver, ride, first, second } = await underWay({ picksUp: false });
  // Once the car has left, the ride can only be interrupted, not canceled.
  expect((await app.call(driver, cancelOrder, { id: ride.id, reason: 'No' })).code).toBe(409);
  expect(await app.call(driver, breakOff, { id: ride.id, kind: 'other', reason: '' })).toMatchObject({
    code: 422,
    data: { fields: { reason: expect.any(String) } },
  });
  const lost = { lon: -73.9, lat: 40.7 };
  expect(
    await app.call(driver, breakOff, { id: ride.id, kind: 'breakdown', reason: '', place: lost }),
  ).toMatchObject({ code: 422, data: { fields: { place: expect.any(String) } } });
  await app.ok(driver, breakOff, { id: ride.id, kind: 'other', reason: 'I have to be elsewhere' });
  await settled();
  for (const who of [first, second])
    expect(await bookingOf(who)).toMatchObject({
      state: 'cancel',
      broken: null,
      payment: { state: 'canceled', capturedCents: 0 },
    });
  expect(await requestOf(first)).toMatchObject({ state: 'matching', from: { name: spots.downtown.name } });
  expect(await strikesOf(driver)).toBe(1);
  expect((await app.call(driver, breakOff, { id: ride.id, kind: 'breakdown', reason: '' })).code).toBe(409);
});

test('an admin ends a ride: where nobody knows the place nobody pays a guess, and nobody is sought where they may not be', async () => {
  const { driver, ride, first } = await underWay();
  const input = { orderNumber: ride.orderNumber, kind: 'other', reason: 'The police called' } as const;
  expect((await app.call(driver, breakOffAsAdmin, input)).code).toBe(403);
  const { ride: shown } = await app.ok(admin, breakOffAsAdmin, input);
  expect(shown).toMatchObject({
    by: 'admin',
    source: 'stop',
    words: 'The police called',
    aboard: [{ shareCents: 0, settledCents: 0, maySettle: false }],
  });
  await settled();
  expect(await bookingOf(first)).toMatchObject({
    state: 'cancel',
    broken: { settledCents: 0 },
    payment: { state: 'canceled', capturedCents: 0, authorizedCents: 0 },
  });
  expect(await requestOf(first)).toMatchObject({ state: 'cancel' });
  expect(await strikesOf(driver)).toBe(0);
  const [entry] = (await app.ok(admin, listAudit, {})).entries;
  expect(entry).toMatchObject({ action: 'ride.brokenOff', person: { id: driver.id } });
});
