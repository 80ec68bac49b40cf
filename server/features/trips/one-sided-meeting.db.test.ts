import { and, eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  accept,
  arrive,
  askToJoin,
  cancelOrder,
  confirmMeeting,
  depart,
  orderDetail,
  pickUp,
  reach,
  reportDriver,
  sayTookPlace,
} from '#contract/rides/endpoints.ts';
import type { Booking } from '#contract/rides/views.ts';
import { boardingPass, tellLocation, tellRiderLocation } from '#contract/trips/endpoints.ts';
import { dayMs, hourMs, minuteMs } from '../../platform/clock.ts';
import { notifications } from '../../schema/notifications.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { strikes } from '../../schema/moderation.ts';
import { riderPositions } from '../../schema/trips.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { openTestApp, type TestPerson } from '../../testing/test-app.ts';
import { addVehicle, publishRequest, publishRide, spots, type RequestInput } from '../../testing/orders.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

interface Rider {
  person: TestPerson;
  requestId: string;
  bookingId: string;
}
let driver: TestPerson;
let rideId: string;
let passenger: Rider;

/** A paid ride whose driver says to be at the pick-up, by words alone. */
beforeEach(async () => {
  driver = await app.person('Dora');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  rideId = (await publishRide(app, driver, { vehicleId, costCents: 2500, seats: 3 })).id;
  passenger = await joined('Pat');
});

async function joined(name: string, from: RequestInput['from'] = spots.downtown): Promise<Rider> {
  const person = await app.person(name);
  await addCard(app, person);
  const { id: requestId } = await publishRequest(app, person, { from });
  const { order } = await app.ok(person, askToJoin, { rideId, requestId });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  await settle();
  return { person, requestId, bookingId };
}

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await app.scheduler.tick();
    await app.deliver();
    app.clock.advance(2000);
  }
}
const place = async ({ person, requestId }: Rider = passenger): Promise<Booking> =>
  (await app.ok(person, orderDetail, { id: requestId })).order.bookings[0]!;
const rideNow = async () => (await app.ok(driver, orderDetail, { id: rideId })).order;
const isAsked = async (userId: string) =>
  (await app.platform.db.$count(
    notifications,
    and(eq(notifications.userId, userId), eq(notifications.word, 'tookPlaceAsked')),
  )) === 1;

/** The driver, who never comes, says that they are at the pick-ups. */
async function claimToBeThere(...riders: Rider[]): Promise<void> {
  app.clock.moveTo(new Date(Date.parse((await place()).pickup.at) - 30 * minuteMs));
  await settle();
  await app.ok(driver, reach, { id: rideId, reason: 'gps is broken' });
  app.clock.moveTo(new Date(Date.parse((await place()).pickup.at) - minuteMs));
  await app.ok(driver, depart, { id: rideId });
  for (const { bookingId } of riders)
    await app.ok(driver, reach, { id: rideId, bookingId, reason: 'gps is broken' });
}
const claimToHaveMet = ({ bookingId }: Rider = passenger) => app.ok(driver, pickUp, { bookingId });

test('a driver alone says “picked up”: at once the passenger may report them, and pays nothing', async () => {
  await claimToBeThere(passenger);
  expect((await place()).may).toEqual(['cancel', 'meet', 'reportDriver']);
  await claimToHaveMet();
  expect(await place()).toMatchObject({
    state: 'picking',
    metBy: 'driver',
    may: ['board', 'undoMeet', 'reportDriver'],
  });
  const { person, bookingId } = passenger;
  await app.ok(person, reportDriver, { bookingId });
  expect(await place()).toMatchObject({ state: 'missed', metBy: null });
  app.clock.advance(dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
  expect(await app.platform.db.$count(strikes, eq(strikes.driverId, driver.id))).toBe(1);
});

test('whom the other side says to have met is asked by email, unless they have answered', async () => {
  const { person, bookingId } = passenger;
  const emails = async (who: TestPerson) => {
    await settle();
    app.clock.advance(3 * minuteMs);
    await settle();
    const sent = await app.platform.db
      .select()
      .from(outboxMessages)
      .where(eq(outboxMessages.recipient, who.email));
    return sent.filter(({ subject }) => subject.includes('says you’ve met'));
  };
  await claimToBeThere(passenger);
  await claimToHaveMet();
  await app.ok(driver, pickUp, { bookingId, undo: true });
  expect(await emails(person)).toEqual([]);
  await claimToHaveMet();
  const [email, ...more] = await emails(person);
  expect(more).toEqual([]);
  expect(email).toMatchObject({ subject: 'Dora says you’ve met: please confirm' });
  expect(email!.body).toContain(`/pages/order/ride?id=${rideId}`);
  await app.ok(driver, pickUp, { bookingId, undo: true });
  await app.ok(person, confirmMeeting, { bookingId });
  expect(await emails(driver)).toMatchObject([{ subject: 'Pat says you’ve met: please confirm' }]);
});

test('a PIN leaves nothing to ask', async () => {
  const { person, bookingId } = passenger;
  await claimToBeThere(passenger);
  const { pin } = await app.ok(person, boardingPass, { bookingId });
  await app.ok(driver, pickUp, { bookingId, pin });
  await settle();
  const asked = and(eq(notifications.userId, person.id), eq(notifications.word, 'meetingAsked'));
  expect(await app.platform.db.$count(notifications, asked)).toBe(0);
});

test('either side takes back what one of them alone has confirmed, and may cancel then', async () => {
  await claimToBeThere(passenger);
  const { person, bookingId, requestId } = passenger;
  await claimToHaveMet();
  expect(await app.call(person, cancelOrder, { id: requestId })).toMatchObject({ code: 409 });
  await app.ok(person, confirmMeeting, { bookingId, undo: true });
  expect(await place()).toMatchObject({ state: 'driver reached', metBy: null });
  await app.ok(person, confirmMeeting, { bookingId });
  await app.ok(driver, pickUp, { bookingId, undo: true });
  expect(await place()).toMatchObject({ state: 'driver reached', metBy: null });
  expect((await place()).may).toContain('cancel');
});

test('what one side alone has confirmed is asked hours later, and never taken, whatever that side answers', async () => {
  await claimToBeThere(passenger);
  await claimToHaveMet();
  app.clock.advance(5 * hourMs);
  await settle();
  const { person, bookingId } = passenger;
  expect(await place()).toMatchObject({ state: 'picking', unclear: { mine: null } });
  expect(await isAsked(driver.id)).toBe(true);
  expect(await isAsked(person.id)).toBe(true);
  await app.ok(driver, sayTookPlace, { bookingId, tookPlace: true });
  app.clock.advance(48 * hourMs);
  await settle();
  expect(await place()).toMatchObject({ state: 'expired', unclear: null });
  expect((await place()).payment).toMatchObject({ kind: 'contested', capturedCents: 0 });
  app.clock.advance(7 * dayMs);
  await settle();
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
});

test('the same at the starting point, which the car never left', async () => {
  const atStart = await joined('Sam', spots.westside);
  app.clock.moveTo(new Date(Date.parse((await place(atStart)).pickup.at) - 30 * minuteMs));
  await settle();
  await app.ok(driver, reach, { id: rideId, reason: 'gps is broken' });
  await claimToHaveMet(atStart);
  app.clock.advance(6 * hourMs);
  await settle();
  expect((await rideNow()).state).toBe('driver reached');
  expect(await place()).toMatchObject({ state: 'missed' });
  expect(await place(atStart)).toMatchObject({ state: 'picking', unclear: { mine: null } });
  app.clock.advance(48 * hourMs);
  await settle();
  expect((await rideNow()).state).toBe('expired');
  expect((await place(atStart)).payment).toMatchObject({ capturedCents: 0 });
});

test('those who were on board pay, and only the passenger whom one side alone has met is asked about', async () => {
  const other = await joined('Olli');
  const third = await joined('Tess');
  await claimToBeThere(passenger, other);
  await claimToHaveMet();
  await claimToHaveMet(other);
  await app.ok(other.person, confirmMeeting, { bookingId: other.bookingId });
  app.clock.advance(5 * hourMs);
  await settle();
  expect(await isAsked(passenger.person.id)).toBe(true);
  expect(await isAsked(other.person.id)).toBe(false);
  expect(await place(third)).toMatchObject({ state: 'missed', unclear: null });
  await app.ok(driver, sayTookPlace, { bookingId: passenger.bookingId, tookPlace: false });
  await app.ok(passenger.person, sayTookPlace, { bookingId: passenger.bookingId, tookPlace: false });
  await settle();
  expect((await rideNow()).state).toBe('finished');
  expect((await place(other)).payment).toMatchObject({ capturedCents: 2500 });
  expect((await place()).payment).toMatchObject({ state: 'canceled', capturedCents: 0 });
});

test.each(['the passenger’s PIN', 'the passenger’s confirmation', 'the answers of both'])(
  'with %s the fare is taken',
  async (proof) => {
    await claimToBeThere(passenger);
    const { person, bookingId } = passenger;
    if (proof === 'the passenger’s PIN') {
      const { pin } = await app.ok(person, boardingPass, { bookingId });
      await app.ok(driver, pickUp, { bookingId, pin });
    } else await claimToHaveMet();
    if (proof === 'the passenger’s confirmation') await app.ok(person, confirmMeeting, { bookingId });
    if (proof === 'the answers of both') {
      app.clock.advance(5 * hourMs);
      await settle();
      await app.ok(driver, sayTookPlace, { bookingId, tookPlace: true });
      await app.ok(person, sayTookPlace, { bookingId, tookPlace: true });
    } else {
      expect(await app.call(person, reportDriver, { bookingId })).toMatchObject({ code: 409 });
      await app.ok(driver, arrive, { id: rideId });
    }
    await settle();
    expect(await place()).toMatchObject({ state: 'finished', payment: { capturedCents: 2500 } });
  },
);

/** Both phones say where they are, at the same moment. */
async function tell(car: { lon: number; lat: number }, rider: { lon: number; lat: number }) {
  app.clock.advance(minuteMs);
  await app.ok(driver, tellLocation, { id: rideId, ...car });
  const { person, bookingId } = passenger;
  return app.call(person, tellRiderLocation, { bookingId, ...rider });
}
const north = ({ lon, lat }: { lon: number; lat: number }, metres: number) => ({
  lon,
  lat: lat + metres / 111_195,
});

test('whose phone moves with the car is on board, and pays; of their way only the beginning is kept, until then', async () => {
  await claimToBeThere(passenger);
  const corner = (await place()).pickup;
  expect(await tell(corner, corner)).toMatchObject({ code: 409, reason: 'booking.moved' });
  await claimToHaveMet();
  expect(await tell(corner, north(corner, 20))).toMatchObject({ data: { boarded: false } });
  expect(await app.platform.db.$count(riderPositions)).toBe(1);
  expect(await tell(north(corner, 700), north(corner, 700))).toMatchObject({ data: { boarded: true } });
  expect(await app.platform.db.$count(riderPositions)).toBe(0);
  expect((await place()).state).toBe('picked');
  await app.ok(driver, arrive, { id: rideId });
  await settle();
  expect(await place()).toMatchObject({ state: 'finished', payment: { capturedCents: 2500 } });
});

test('a passenger at the corner is not on board of a car that drives elsewhere', async () => {
  await claimToBeThere(passenger);
  await claimToHaveMet();
  const corner = (await place()).pickup;
  for (const metres of [10_000, 0, 700, 0])
    expect(await tell(north(corner, metres), corner)).toMatchObject({ data: { boarded: false } });
  expect((await place()).state).toBe('picking');
});
