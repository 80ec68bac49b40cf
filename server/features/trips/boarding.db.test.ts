import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { boardingKey, boardingPass } from '#contract/trips/endpoints.ts';
import {
  arrive,
  confirmMeeting,
  noShow,
  noteContact,
  orderDetail,
  orderTimeline,
  pickUp,
  reach,
  reportDriver,
} from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { bookings, rideStops } from '../../schema/rides.ts';
import { carryOn, openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { publishRequest, spots } from '../../testing/orders.ts';
import { readCode } from './rules/boarding-code.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

let fixture: AccessFixture;
beforeEach(async () => {
  fixture = await openAccessFixture(app, 'atPickup');
});
const pass = () => app.ok(fixture.people.passenger, boardingPass, { bookingId: fixture.bookingId });

test('with the PIN the passenger is on board at once, and the ride goes on', async () => {
  const { pin } = await pass();
  expect(pin).toMatch(/^\d{4}$/);
  expect((await pass()).pin).toBe(pin);
  const { booking } = await app.ok(fixture.people.driver, pickUp, { bookingId: fixture.bookingId, pin });
  expect(booking).toMatchObject({ state: 'picked', metBy: null });
  const { order } = await app.ok(fixture.people.driver, orderDetail, { id: fixture.ride.id });
  expect(order.state).toBe('ongoing');
  const { entries } = await app.ok(fixture.people.driver, orderTimeline, { id: fixture.ride.id });
  expect(entries.find(({ move }) => move === 'board')).toMatchObject({ actor: 'driver', note: 'pin' });
});

test('a wrong PIN moves nothing, and a few of them end the trying', async () => {
  const { driver } = fixture.people;
  const { bookingId } = fixture;
  const { pin } = await pass();
  const wrong = pin === '0000' ? '0001' : '0000';
  for (let attempt = 0; attempt < 5; attempt++)
    expect(await app.call(driver, pickUp, { bookingId, pin: wrong })).toMatchObject({
      code: 422,
      reason: 'booking.pinWrong',
      data: { fields: { pin: expect.any(String) } },
    });
  expect(await app.call(driver, pickUp, { bookingId, pin })).toMatchObject({ code: 429 });
  expect(await app.call(driver, pickUp, { bookingId, pin: '12' })).toMatchObject({ code: 422 });
  const { order } = await app.ok(driver, orderDetail, { id: fixture.ride.id });
  expect(order.bookings[0]).toMatchObject({ state: 'driver reached' });
});

test('the code is signed: checked by its public key alone, and by the app after the driver was without a connection', async () => {
  const { driver } = fixture.people;
  const { code, endsAt } = await pass();
  const jwk = await app.ok(driver, boardingKey, { id: fixture.ride.id });
  const key = await crypto.subtle.importKey(
    'jwk',
    { kty: 'EC', crv: 'P-256', ...jwk },
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  );
  const { body, signature, bookingId } = readCode(code)!;
  expect(bookingId).toBe(fixture.bookingId);
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  expect(await crypto.subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(body))).toBe(
    true,
  );
  expect(Date.parse(endsAt) - app.clock.now().getTime()).toBeLessThanOrEqual(15 * 60_000);

  // Scanned in time, sent two hours later.
  app.clock.advance(2 * 3_600_000);
  const { booking } = await app.ok(driver, pickUp, { bookingId: fixture.bookingId, code });
  expect(booking.state).toBe('picked');
});

test('a code of another booking, a forged one and a very old one are refused', async () => {
  // The clock runs on to the other ride's day.
  const { code } = await pass();
  const other = await openAccessFixture(app, 'waiting');
  const foreign = await app.ok(other.people.passenger, boardingPass, { bookingId: other.bookingId });
  const forged = `${code.slice(0, -8)}AAAAAAAA`;
  const refuse = async (bad: string) =>
    expect(
      await app.call(fixture.people.driver, pickUp, { bookingId: fixture.bookingId, code: bad }),
    ).toMatchObject({
      code: 422,
      reason: 'booking.codeWrong',
    });
  for (const bad of [foreign.code, forged, 'https://example.com']) await refuse(bad);
  app.clock.advance(13 * 3_600_000);
  await refuse(code);
});

test('there is a pass on the day of the ride alone, and for the passenger alone', async () => {
  const { driver, passenger, stranger } = fixture.people;
  const { bookingId } = fixture;
  for (const person of [driver, stranger])
    expect(await app.call(person, boardingPass, { bookingId })).toMatchObject({ code: 404 });
  expect(await app.call(passenger, boardingKey, { id: fixture.ride.id })).toMatchObject({ code: 404 });
  await carryOn(fixture, 'atPickup', 'picked');
  expect(await app.call(passenger, boardingPass, { bookingId })).toMatchObject({ code: 409 });
  const early = await openAccessFixture(app, 'joined');
  expect(await app.call(early.people.passenger, boardingPass, { bookingId: early.bookingId })).toMatchObject({
    code: 409,
  });
});

/** The driver marks the passenger once the wait is over. */
async function missed() {
  app.clock.advance(11 * 60_000);
  await app.ok(fixture.people.driver, noteContact, { bookingId: fixture.bookingId, kind: 'call' });
  await app.ok(fixture.people.driver, noShow, { bookingId: fixture.bookingId });
}
const rideNow = async () =>
  (await app.ok(fixture.people.driver, orderDetail, { id: fixture.ride.id })).order as Ride;
const requestState = async () =>
  (await app.ok(fixture.people.passenger, orderDetail, { id: fixture.request.id })).order.state;

test('one who was missed is on board after all once both say so, with a seat to the end and their request back', async () => {
  const { driver, passenger, stranger } = fixture.people;
  const { bookingId } = fixture;
  await missed();
  expect(await requestState()).toBe('missed');
  expect((await rideNow()).stops.map(({ kind }) => kind)).toEqual(['start', 'end']);
  expect(await app.call(stranger, confirmMeeting, { bookingId })).toMatchObject({ code: 404 });
  expect((await app.ok(passenger, confirmMeeting, { bookingId })).booking).toMatchObject({
    state: 'missed',
    metBy: 'passenger',
    may: [],
  });
  // Saying it twice is not the other side's word.
  expect(await app.call(passenger, confirmMeeting, { bookingId })).toMatchObject({ code: 409 });
  expect((await app.ok(driver, pickUp, { bookingId })).booking.state).toBe('picked');
  const ride = await rideNow();
  expect(ride).toMatchObject({ state: 'ongoing', bookings: [{ state: 'picked', may: ['dropOff'] }] });
  expect(ride.stops.map(({ kind }) => kind)).toEqual(['start', 'pickup', 'dropoff', 'end']);
  const legs = await app.platform.db.select().from(rideStops).where(eq(rideStops.rideId, ride.id));
  expect(legs.toSorted((a, b) => a.position - b.position).map(({ seatsTaken }) => seatsTaken)).toEqual([
    0, 1, 0, 0,
  ]);
  const [row] = await app.platform.db.select().from(bookings).where(eq(bookings.id, bookingId));
  expect(row).toMatchObject({ fault: null, endedAt: null });
  expect(await requestState()).toBe('joined');
  await app.ok(driver, arrive, { id: ride.id });
  expect(await requestState()).toBe('finished');
});

test('with the PIN or the code of somebody who was missed one word is enough, whoever has said what before', async () => {
  const { driver, passenger } = fixture.people;
  const { bookingId } = fixture;
  await missed();
  const { pin } = await pass();
  const wrong = pin === '0000' ? '0001' : '0000';
  expect(await app.call(driver, pickUp, { bookingId, pin: wrong })).toMatchObject({ code: 422 });
  // The driver has confirmed already: the proof is the passenger's confirmation.
  await app.ok(driver, pickUp, { bookingId });
  const { code } = await pass();
  expect((await app.ok(driver, pickUp, { bookingId, code })).booking.state).toBe('picked');
  expect(await requestState()).toBe('joined');
  const { entries } = await app.ok(driver, orderTimeline, { id: fixture.ride.id });
  expect(entries.find(({ move }) => move === 'boardLate')).toMatchObject({ actor: 'driver', note: 'code' });
  await app.ok(driver, arrive, { id: fixture.ride.id });
  expect(await app.call(passenger, boardingPass, { bookingId })).toMatchObject({ code: 409 });

  fixture = await openAccessFixture(app, 'atPickup');
  await missed();
  const late = await pass();
  await app.ok(fixture.people.driver, pickUp, { bookingId: fixture.bookingId, pin: late.pin });
  expect(await requestState()).toBe('joined');
});

test('there is no pass for somebody who was missed once the ride is over', async () => {
  await missed();
  await app.ok(fixture.people.driver, arrive, { id: fixture.ride.id });
  const { people, bookingId } = fixture;
  expect(await app.call(people.passenger, boardingPass, { bookingId })).toMatchObject({ code: 409 });
});

test('after the ride it is too late, and so it is where the seats or the time are taken', async () => {
  const { driver, passenger } = fixture.people;
  const { bookingId } = fixture;
  await missed();
  await app.ok(driver, pickUp, { bookingId });
  const say = () => app.call(passenger, confirmMeeting, { bookingId });
  const of = eq(bookings.id, bookingId);
  // As if others had the seats meanwhile.
  await app.platform.db.update(bookings).set({ seats: 4 }).where(of);
  expect(await say()).toMatchObject({ code: 409, reason: 'ride.full' });
  await app.platform.db.update(bookings).set({ seats: 1 }).where(of);
  const { earliestAt } = fixture.request;
  const other = await publishRequest(app, passenger, {
    from: spots.campus,
    earliestAt: app.clock.now().toISOString(),
    latestAt: new Date(Date.parse(earliestAt) + 3 * 3_600_000).toISOString(),
  });
  expect(await say()).toMatchObject({ code: 409, reason: 'order.overlap' });
  expect(other.state).toBe('matching');
  expect((await rideNow()).bookings[0]).toMatchObject({ state: 'missed', metBy: 'driver' });
  expect(await requestState()).toBe('missed');
  await app.ok(driver, arrive, { id: fixture.ride.id });
  expect(await say()).toMatchObject({ code: 409, reason: 'booking.moved' });
});

test('who reported the driver and was taken along after all has a ride again, and the driver no fault', async () => {
  const early = await openAccessFixture(app, 'departed');
  const { people, bookingId, ride, request } = early;
  app.clock.moveTo(new Date(Date.parse((await rideBookings(early))[0]!.pickup.at) + 16 * 60_000));
  await app.ok(people.passenger, reportDriver, { bookingId });
  const stateOf = async () => (await app.ok(people.passenger, orderDetail, { id: request.id })).order.state;
  expect(await stateOf()).toBe('matching');
  await app.ok(people.driver, pickUp, { bookingId });
  await app.ok(people.passenger, confirmMeeting, { bookingId });
  expect(await stateOf()).toBe('joined');
  await app.ok(people.driver, arrive, { id: ride.id });
  const [row] = await app.platform.db.select().from(bookings).where(eq(bookings.id, bookingId));
  expect(row).toMatchObject({ state: 'finished', fault: null });
});

const rideBookings = async (of: AccessFixture) =>
  ((await app.ok(of.people.driver, orderDetail, { id: of.ride.id })).order as Ride).bookings;

test('being where a passenger is met takes a position within 150 metres, or a reason, which is kept', async () => {
  const early = await openAccessFixture(app, 'waiting');
  const { driver } = early.people;
  const { id } = early.ride;
  const { bookingId } = early;
  // No passenger boards at the start: the driver's word is enough there.
  await app.ok(driver, reach, { id });
  await carryOn(early, 'atStart', 'departed');
  const [{ pickup }] = (await rideBookings(early)) as [Ride['bookings'][number]];
  const { lon, lat } = pickup;
  expect(await app.call(driver, reach, { id, bookingId })).toMatchObject({
    code: 422,
    reason: 'order.placeUnknown',
    data: { fields: { reason: expect.any(String) } },
  });
  const far = await app.call(driver, reach, { id, bookingId, at: { lon, lat: lat + 0.0015 } });
  expect(far).toMatchObject({ code: 422, reason: 'order.notThere', data: { metresAway: 167 } });
  await app.ok(driver, reach, { id, bookingId, at: { lon, lat: lat + 0.0015 }, reason: 'GPS is off' });
  const { entries } = await app.ok(driver, orderTimeline, { id });
  const notes = entries.filter(({ move }) => move === 'reach').map(({ note }) => note);
  expect(notes).toEqual(['hand: ', 'hand 167: GPS is off']);
});

test('a position within 150 metres is enough by itself', async () => {
  const early = await openAccessFixture(app, 'waiting');
  const { driver } = early.people;
  const { id } = early.ride;
  await app.ok(driver, reach, { id });
  await carryOn(early, 'atStart', 'departed');
  const [{ pickup }] = (await rideBookings(early)) as [Ride['bookings'][number]];
  const at = { lon: pickup.lon, lat: pickup.lat + 0.0013 };
  await app.ok(driver, reach, { id, bookingId: early.bookingId, at });
  const { entries } = await app.ok(driver, orderTimeline, { id });
  const notes = entries.filter(({ move }) => move === 'reach').map(({ note }) => note);
  expect(notes.at(-1)).toBe('position');
});
