import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { rescue } from '#contract/journeys/endpoints.ts';
import { askToJoin, cancelOrder, orderDetail, reportDriver } from '#contract/rides/endpoints.ts';
import { minuteMs } from '../../platform/clock.ts';
import { outboxLetters } from '../../schema/house.ts';
import { setStage, type Stage } from '../../testing/access-stage.ts';
import { openTestHouse } from '../../testing/house.ts';
import { publishRide } from '../../testing/orders.ts';

const house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => house.close());

const requestNow = async ({ people, request }: Stage) =>
  (await house.ok(people.passenger, orderDetail, { id: request.id })).order;
const lettersTo = (email: string) =>
  house.platform.db.select().from(outboxLetters).where(eq(outboxLetters.recipient, email));
/** Somebody else who goes the same way, so many minutes later. */
async function otherRide(name: string, { ride, people }: Stage, minutes: number, fields: object = {}) {
  const driver = await house.person(name);
  // The request is shown to contacts.
  await house.features.contacts.befriend(driver.id, people.passenger.id);
  const departsAt = new Date(Date.parse(ride.departsAt) + minutes * minuteMs).toISOString();
  return { driver, ride: await publishRide(house, driver, { departsAt, flexMinutes: 30, ...fields }) };
}

test('a driver who cancels: the passenger is offered other rides at once, and asks with one tap', async () => {
  const stage = await setStage(house, 'joined');
  const { driver, passenger } = stage.people;
  const others = [];
  for (const [index, name] of ['Ann', 'Bob', 'Cem', 'Dan'].entries())
    others.push(await otherRide(name, stage, 5 + index, { instant: name === 'Cem' }));
  expect((await house.ok(passenger, rescue, { id: stage.request.id })).because).toBeNull();

  await house.ok(driver, cancelOrder, { id: stage.ride.id, reason: 'The car broke down' });
  await house.deliver();
  expect(await requestNow(stage)).toMatchObject({ state: 'matching' });
  const offered = await house.ok(passenger, rescue, { id: stage.request.id });
  expect(offered).toMatchObject({ because: 'cancelled', driverName: 'Driver' });
  expect(offered.candidates).toHaveLength(3);
  const [first, second] = offered.candidates;
  const letters = (await lettersTo(passenger.email)).filter(({ subject }) => subject.includes('not coming'));
  expect(letters).toHaveLength(1);
  for (const { ride } of offered.candidates) expect(letters[0]!.body).toContain(ride.driver.name);
  expect(letters[0]!.body).toContain(`/pages/order/detail?id=${stage.request.id}`);

  await house.ok(passenger, askToJoin, { rideId: second!.ride.id, requestId: stage.request.id });
  const asked = await house.ok(passenger, rescue, { id: stage.request.id });
  expect(asked.candidates.find(({ ride }) => ride.id === second!.ride.id)?.booking).toMatchObject({
    state: 'requesting',
  });
  // A seat that is sure comes first, and its tap is all it takes; the other ask is taken back.
  expect(first!.ride).toMatchObject({ instant: true, driver: { name: 'Cem' } });
  const now = await house.ok(passenger, askToJoin, {
    rideId: first!.ride.id,
    requestId: stage.request.id,
  });
  expect(now.order.state).toBe('joined');
  expect(now.order.bookings.map(({ state }) => state).toSorted()).toEqual(['cancel', 'cancel', 'joined']);
  expect(await house.ok(passenger, rescue, { id: stage.request.id })).toMatchObject({ because: null });
});

test('a driver who does not come: the window opens for another hour, so that somebody later fits', async () => {
  const stage = await setStage(house, 'waiting');
  const { passenger } = stage.people;
  const late = await otherRide('Late Lee', stage, 55);
  const before = await requestNow(stage);
  if (before.role !== 'passenger') throw new Error('a request is expected');
  house.clock.moveTo(new Date(Date.parse(before.bookings[0]!.pickup.at) + 16 * minuteMs));
  await house.ok(passenger, reportDriver, { bookingId: stage.bookingId });
  await house.deliver();
  await house.timers.tick();
  const after = await requestNow(stage);
  expect(after).toMatchObject({ state: 'matching' });
  if (after.role === 'passenger')
    expect(Date.parse(after.latestAt)).toBeGreaterThanOrEqual(house.clock.now().getTime() + 59 * minuteMs);
  const offered = await house.ok(passenger, rescue, { id: stage.request.id });
  expect(offered.because).toBe('missed');
  expect(offered.candidates.map(({ ride }) => ride.id)).toContain(late.ride.id);
});

test('nothing to offer is said as well; a passenger who cancels is not rescued', async () => {
  const alone = await setStage(house, 'joined');
  house.clock.advance(30 * 24 * 60 * minuteMs);
  const fresh = await setStage(house, 'joined');
  await house.ok(fresh.people.driver, cancelOrder, { id: fresh.ride.id, reason: 'Ill' });
  await house.deliver();
  expect(await house.ok(fresh.people.passenger, rescue, { id: fresh.request.id })).toMatchObject({
    because: 'cancelled',
    candidates: [],
  });
  const [letter] = (await lettersTo(fresh.people.passenger.email)).filter(({ subject }) =>
    subject.includes('not coming'),
  );
  expect(letter!.body).toContain('No other ride goes your way right now.');

  const own = await setStage(house, 'joined');
  await house.ok(own.people.passenger, cancelOrder, { id: own.request.id });
  await house.deliver();
  expect(await house.ok(own.people.passenger, rescue, { id: own.request.id })).toMatchObject({
    because: null,
  });
  expect(await house.call(alone.people.passenger, rescue, { id: own.request.id })).toMatchObject({
    code: 404,
  });
});
