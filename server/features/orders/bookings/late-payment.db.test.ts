import { setTimeout as pause } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockPerson } from '#contract/contacts/endpoints.ts';
import { authorize } from '#contract/payments/endpoints.ts';
import { accept, askToJoin, depart, orderDetail, reach } from '#contract/rides/endpoints.ts';
import type { Booking } from '#contract/rides/views.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { authorizations } from '../../../schema/payments.ts';
import { bookings } from '../../../schema/rides.ts';
import { fickleClient } from '../../../testing/fickle-client.ts';
import { addCard, answerPage, onboard, testNumbers } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { workOnBooking } from '../../payments/authorizations/worker.ts';
import { catchUp } from '../../trips/catch-up.ts';
import { expireBooking, expireRequest } from './close-booking.ts';

const { client, trouble } = fickleClient();
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' }, cardClient: client });
});
afterAll(() => app.close());

/** A passenger whose bank wants them to confirm, with the page where they do. */
async function atTheBank() {
  const driver = await app.person('Dora');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const departsAt = later(app.clock.now(), dayMs).toISOString();
  const ride = await publishRide(app, driver, { vehicleId, costCents: 2000, departsAt });
  const person = await app.person('Pat');
  await addCard(app, person, testNumbers.asksAlways);
  const { id: requestId } = await publishRequest(app, person);
  const { order } = await app.ok(person, askToJoin, { rideId: ride.id, requestId });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  await app.call(person, authorize, { bookingId });
  const current = and(eq(authorizations.bookingId, bookingId), eq(authorizations.isCurrent, true));
  const [hold] = await app.platform.db.select().from(authorizations).where(current);
  return { driver, person, rideId: ride.id, requestId, bookingId, pageUrl: hold!.actionUrl! };
}
const bookingOf = async (person: TestPerson, requestId: string): Promise<Booking> =>
  (await app.ok(person, orderDetail, { id: requestId })).order.bookings[0]!;

/** The deadline passes before the app reads anything again: after a restart, say. */
async function passDeadline({ expiresAt }: Booking): Promise<void> {
  app.clock.moveTo(later(new Date(expiresAt!), 5000));
  await look();
}
async function look(): Promise<void> {
  await app.scheduler.tick();
  await app.deliver();
}

test('who has confirmed at the bank before the deadline keeps the seat, however late the news is', async () => {
  const { person, requestId, pageUrl } = await atTheBank();
  const waiting = await bookingOf(person, requestId);
  app.clock.moveTo(later(new Date(waiting.expiresAt!), -20_000));
  await answerPage(app, pageUrl, { answer: 'yes' });
  await passDeadline(waiting);
  expect(await bookingOf(person, requestId)).toMatchObject({
    state: 'joined',
    payment: { authorizedCents: 2000 },
  });
});

test('while the provider does not answer the seat is kept, a minute at a time', async () => {
  const { person, requestId, pageUrl } = await atTheBank();
  const waiting = await bookingOf(person, requestId);
  await answerPage(app, pageUrl, { answer: 'yes' });
  trouble.is = 'away';
  try {
    await passDeadline(waiting);
    const kept = await bookingOf(person, requestId);
    expect(kept).toMatchObject({ state: 'waiting for passenger acceptance', awaits: 'payment' });
    expect(kept.expiresAt! > waiting.expiresAt!).toBe(true);
  } finally {
    trouble.is = 'none';
  }
  app.clock.advance(2 * minuteMs);
  await look();
  expect((await bookingOf(person, requestId)).state).toBe('joined');
});

test('who has not confirmed by then loses the seat, and one whose provider stays away loses it at departure', async () => {
  const idle = await atTheBank();
  await passDeadline(await bookingOf(idle.person, idle.requestId));
  expect((await bookingOf(idle.person, idle.requestId)).state).toBe('expired');
  const cut = await atTheBank();
  trouble.is = 'away';
  try {
    app.clock.advance(2 * dayMs);
    await look();
    expect((await bookingOf(cut.person, cut.requestId)).state).toBe('expired');
  } finally {
    trouble.is = 'none';
  }
});

test('a seat is not lost at departure because a worker is reading just then that it is paid', async () => {
  for (const ends of ['booking', 'request'] as const) {
    const { person, requestId, bookingId, pageUrl } = await atTheBank();
    await answerPage(app, pageUrl, { answer: 'yes' });
    app.clock.advance(30 * hourMs);
    const [arrives, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    trouble.late = { taken: taken.resolve, until: arrives.promise };
    const reading = workOnBooking(app.platform, bookingId);
    await taken.promise;
    const expiring =
      ends === 'booking' ? expireBooking(app.platform, bookingId) : expireRequest(app.platform, requestId);
    await Promise.race([expiring, pause(300)]);
    arrives.resolve();
    await Promise.all([reading, expiring]);
    const booking = await bookingOf(person, requestId);
    expect(booking).toMatchObject({ payment: { authorizedCents: 2000 } });
    expect(booking.state).not.toBe('expired');
  }
});

test('a driver who departs first hears that a passenger has paid in time', async () => {
  const { driver, person, rideId, requestId, pageUrl } = await atTheBank();
  const other = await app.person('Ben');
  await addCard(app, other);
  const { id: otherId } = await publishRequest(app, other);
  const { order } = await app.ok(other, askToJoin, { rideId, requestId: otherId });
  await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  await answerPage(app, pageUrl, { answer: 'yes' });
  // The server is away until the departure.
  app.clock.advance(dayMs);
  await app.ok(driver, reach, { id: rideId, reason: 'It is here' });
  await app.ok(driver, depart, { id: rideId });
  expect(await bookingOf(person, requestId)).toMatchObject({
    state: 'waiting',
    payment: { authorizedCents: 2000 },
  });
});

test('who pays after one side has blocked the other joins nothing, and nothing stays held', async () => {
  for (const blocker of ['driver', 'person'] as const) {
    const pair = await atTheBank();
    const { person, requestId, bookingId } = pair;
    const blocked = pair[blocker === 'driver' ? 'person' : 'driver'];
    await app.ok(pair[blocker], blockPerson, { id: blocked.id });
    await answerPage(app, pair.pageUrl, { answer: 'yes' });
    await app.call(person, authorize, { bookingId });
    const [before] = await app.platform.db.select().from(bookings).where(eq(bookings.id, bookingId));
    expect(before).toMatchObject({ state: 'waiting for passenger acceptance', joinedAt: null });
    await look();
    await look();
    const [booking] = await app.platform.db.select().from(bookings).where(eq(bookings.id, bookingId));
    expect(booking).toMatchObject({ joinedAt: null, awaits: null });
    expect(['cancel', 'rejected', 'expired']).toContain(booking!.state);
    const holds = await app.platform.db
      .select()
      .from(authorizations)
      .where(eq(authorizations.bookingId, bookingId));
    expect(holds.map(({ authorizedCents }) => authorizedCents)).toEqual([0]);
    expect((await app.ok(person, orderDetail, { id: requestId })).order.state).toBe('matching');
  }
});

test('what both had joined before a block goes on when it is paid anew', async () => {
  const driver = await app.person('Dora');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const departsAt = later(app.clock.now(), 6 * dayMs);
  const ride = await publishRide(app, driver, {
    vehicleId,
    costCents: 2000,
    departsAt: departsAt.toISOString(),
  });
  const person = await app.person('Pat');
  await addCard(app, person, testNumbers.refusedOnCharge);
  const window = { earliestAt: later(departsAt, -hourMs), latestAt: later(departsAt, hourMs) };
  const { id: requestId } = await publishRequest(app, person, {
    earliestAt: window.earliestAt.toISOString(),
    latestAt: window.latestAt.toISOString(),
  });
  await app.ok(person, askToJoin, { rideId: ride.id, requestId });
  const { id: bookingId } = await bookingOf(person, requestId);
  await app.ok(driver, accept, { bookingId });
  await app.ok(driver, blockPerson, { id: person.id });
  await look();
  app.clock.moveTo(later(departsAt, -3 * dayMs + minuteMs));
  await look();
  expect(await bookingOf(person, requestId)).toMatchObject({ awaits: 'payment' });
  const { id: methodId } = await addCard(app, person);
  await app.ok(person, authorize, { bookingId, methodId });
  expect((await bookingOf(person, requestId)).state).toBe('joined');
});

test('before the request or the ride of a kept seat ends by the clock, its payment is read', async () => {
  for (const ends of ['request', 'ride'] as const) {
    const { person, rideId, requestId, pageUrl } = await atTheBank();
    await answerPage(app, pageUrl, { answer: 'yes' });
    // The server is away until long after the departure.
    app.clock.advance(30 * hourMs);
    if (ends === 'request') await expireRequest(app.platform, requestId);
    else await catchUp(app.platform, rideId);
    expect(await bookingOf(person, requestId)).toMatchObject({ payment: { authorizedCents: 2000 } });
    expect((await bookingOf(person, requestId)).state).not.toBe('expired');
  }
});
