import { afterAll, beforeEach, expect, test } from 'vitest';
import { boardingKey, boardingPass } from '#contract/journeys/endpoints.ts';
import { orderDetail, orderTimeline, pickUp } from '#contract/rides/endpoints.ts';
import { carryOn, setStage, type Stage } from '../../testing/access-stage.ts';
import { openTestHouse } from '../../testing/house.ts';
import { readCode } from './rules/boarding-code.ts';

const house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => house.close());

let stage: Stage;
beforeEach(async () => {
  stage = await setStage(house, 'atPickup');
});
const pass = () => house.ok(stage.people.passenger, boardingPass, { bookingId: stage.bookingId });

test('with the PIN the passenger is on board at once, and the ride goes on', async () => {
  const { pin } = await pass();
  expect(pin).toMatch(/^\d{4}$/);
  expect((await pass()).pin).toBe(pin);
  const { booking } = await house.ok(stage.people.driver, pickUp, { bookingId: stage.bookingId, pin });
  expect(booking).toMatchObject({ state: 'picked', metBy: null });
  const { order } = await house.ok(stage.people.driver, orderDetail, { id: stage.ride.id });
  expect(order.state).toBe('ongoing');
  const { entries } = await house.ok(stage.people.driver, orderTimeline, { id: stage.ride.id });
  expect(entries.find(({ move }) => move === 'board')).toMatchObject({ actor: 'driver', note: 'pin' });
});

test('a wrong PIN moves nothing, and a few of them end the trying', async () => {
  const { driver } = stage.people;
  const { bookingId } = stage;
  const { pin } = await pass();
  const wrong = pin === '0000' ? '0001' : '0000';
  for (let attempt = 0; attempt < 5; attempt++)
    expect(await house.call(driver, pickUp, { bookingId, pin: wrong })).toMatchObject({
      code: 422,
      reason: 'booking.pinWrong',
      data: { fields: { pin: expect.any(String) } },
    });
  expect(await house.call(driver, pickUp, { bookingId, pin })).toMatchObject({ code: 429 });
  expect(await house.call(driver, pickUp, { bookingId, pin: '12' })).toMatchObject({ code: 422 });
  const { order } = await house.ok(driver, orderDetail, { id: stage.ride.id });
  expect(order.bookings[0]).toMatchObject({ state: 'driver reached' });
});

test('the code is signed: checked by its public key alone, and by the house after the driver was without a connection', async () => {
  const { driver } = stage.people;
  const { code, endsAt } = await pass();
  const jwk = await house.ok(driver, boardingKey, { id: stage.ride.id });
  const key = await crypto.subtle.importKey(
    'jwk',
    { kty: 'EC', crv: 'P-256', ...jwk },
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  );
  const { body, signature, bookingId } = readCode(code)!;
  expect(bookingId).toBe(stage.bookingId);
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  expect(await crypto.subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(body))).toBe(
    true,
  );
  expect(Date.parse(endsAt) - house.clock.now().getTime()).toBeLessThanOrEqual(15 * 60_000);

  // Scanned in time, told two hours later.
  house.clock.advance(2 * 3_600_000);
  const { booking } = await house.ok(driver, pickUp, { bookingId: stage.bookingId, code });
  expect(booking.state).toBe('picked');
});

test('a code of another booking, a forged one and a very old one are refused', async () => {
  // The clock runs on to the other ride's day.
  const { code } = await pass();
  const other = await setStage(house, 'waiting');
  const foreign = await house.ok(other.people.passenger, boardingPass, { bookingId: other.bookingId });
  const forged = `${code.slice(0, -8)}AAAAAAAA`;
  const refuse = async (bad: string) =>
    expect(
      await house.call(stage.people.driver, pickUp, { bookingId: stage.bookingId, code: bad }),
    ).toMatchObject({
      code: 422,
      reason: 'booking.codeWrong',
    });
  for (const bad of [foreign.code, forged, 'https://example.com']) await refuse(bad);
  house.clock.advance(13 * 3_600_000);
  await refuse(code);
});

test('there is a pass on the day of the ride alone, and for the passenger alone', async () => {
  const { driver, passenger, stranger } = stage.people;
  const { bookingId } = stage;
  for (const person of [driver, stranger])
    expect(await house.call(person, boardingPass, { bookingId })).toMatchObject({ code: 404 });
  expect(await house.call(passenger, boardingKey, { id: stage.ride.id })).toMatchObject({ code: 404 });
  await carryOn(stage, 'atPickup', 'picked');
  expect(await house.call(passenger, boardingPass, { bookingId })).toMatchObject({ code: 409 });
  const early = await setStage(house, 'joined');
  expect(
    await house.call(early.people.passenger, boardingPass, { bookingId: early.bookingId }),
  ).toMatchObject({ code: 409 });
});
