import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { blockPerson } from '#contract/contacts/endpoints.ts';
import { rescue } from '#contract/trips/endpoints.ts';
import { askToJoin, cancelOrder, orderDetail, reportDriver } from '#contract/rides/endpoints.ts';
import { minuteMs } from '../../platform/clock.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { openAccessFixture, type AccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { publishRide } from '../../testing/orders.ts';
import { befriend } from '../contacts/meet-person.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

const requestNow = async ({ people, request }: AccessFixture) =>
  (await app.ok(people.passenger, orderDetail, { id: request.id })).order;
const emailsTo = (email: string) =>
  app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, email));
/** Another driver on the same route, this many minutes later. */
async function otherRide(
  name: string,
  { ride, people }: AccessFixture,
  minutes: number,
  fields: object = {},
) {
  const driver = await app.person(name);
  // The request is shown to contacts.
  await befriend(app.platform, driver.id, people.passenger.id);
  const departsAt = new Date(Date.parse(ride.departsAt) + minutes * minuteMs).toISOString();
  return { driver, ride: await publishRide(app, driver, { departsAt, flexMinutes: 30, ...fields }) };
}

test('a driver who cancels: the passenger is offered other rides at once, and asks with one tap', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver, passenger } = fixture.people;
  const others = [];
  for (const [index, name] of ['Ann', 'Bob', 'Cem', 'Dan'].entries())
    others.push(await otherRide(name, fixture, 5 + index, { instant: name === 'Cem' }));
  expect((await app.ok(passenger, rescue, { id: fixture.request.id })).because).toBeNull();

  await app.ok(driver, cancelOrder, { id: fixture.ride.id, reason: 'The car broke down' });
  await app.deliver();
  expect(await requestNow(fixture)).toMatchObject({ state: 'matching' });
  const offered = await app.ok(passenger, rescue, { id: fixture.request.id });
  expect(offered).toMatchObject({ because: 'canceled', driverName: 'Driver' });
  expect(offered.candidates).toHaveLength(3);
  const [first, second] = offered.candidates;
  const letters = (await emailsTo(passenger.email)).filter(({ subject }) =>
    subject.includes('can’t make it'),
  );
  expect(letters).toHaveLength(1);
  for (const { ride } of offered.candidates) expect(letters[0]!.body).toContain(ride.driver.name);
  expect(letters[0]!.body).toContain(`/pages/order/detail?id=${fixture.request.id}`);

  await app.ok(passenger, askToJoin, { rideId: second!.ride.id, requestId: fixture.request.id });
  const asked = await app.ok(passenger, rescue, { id: fixture.request.id });
  expect(asked.candidates.find(({ ride }) => ride.id === second!.ride.id)?.booking).toMatchObject({
    state: 'requesting',
  });
  // The instant ride comes first and one tap books it; the other ask is withdrawn.
  expect(first!.ride).toMatchObject({ instant: true, driver: { name: 'Cem' } });
  const now = await app.ok(passenger, askToJoin, {
    rideId: first!.ride.id,
    requestId: fixture.request.id,
  });
  expect(now.order.state).toBe('joined');
  expect(now.order.bookings.map(({ state }) => state).toSorted()).toEqual(['cancel', 'cancel', 'joined']);
  expect(await app.ok(passenger, rescue, { id: fixture.request.id })).toMatchObject({ because: null });
});

test('a driver who does not come: the window opens for another hour, so that somebody later fits', async () => {
  const fixture = await openAccessFixture(app, 'waiting');
  const { passenger } = fixture.people;
  const late = await otherRide('Late Lee', fixture, 55);
  const before = await requestNow(fixture);
  if (before.role !== 'passenger') throw new Error('a request is expected');
  app.clock.moveTo(new Date(Date.parse(before.bookings[0]!.pickup.at) + 16 * minuteMs));
  await app.ok(passenger, reportDriver, { bookingId: fixture.bookingId });
  await app.deliver();
  await app.scheduler.tick();
  const after = await requestNow(fixture);
  expect(after).toMatchObject({ state: 'matching' });
  if (after.role === 'passenger')
    expect(Date.parse(after.latestAt)).toBeGreaterThanOrEqual(app.clock.now().getTime() + 59 * minuteMs);
  const offered = await app.ok(passenger, rescue, { id: fixture.request.id });
  expect(offered.because).toBe('missed');
  expect(offered.candidates.map(({ ride }) => ride.id)).toContain(late.ride.id);
});

test('nothing to offer is said as well; a passenger who cancels is not rescued', async () => {
  const alone = await openAccessFixture(app, 'joined');
  app.clock.advance(30 * 24 * 60 * minuteMs);
  const fresh = await openAccessFixture(app, 'joined');
  await app.ok(fresh.people.driver, cancelOrder, { id: fresh.ride.id, reason: 'Ill' });
  await app.deliver();
  expect(await app.ok(fresh.people.passenger, rescue, { id: fresh.request.id })).toMatchObject({
    because: 'canceled',
    candidates: [],
  });
  const [letter] = (await emailsTo(fresh.people.passenger.email)).filter(({ subject }) =>
    subject.includes('can’t make it'),
  );
  expect(letter!.body).toContain('No other ride can take you there right now.');

  const own = await openAccessFixture(app, 'joined');
  await app.ok(own.people.passenger, cancelOrder, { id: own.request.id });
  await app.deliver();
  expect(await app.ok(own.people.passenger, rescue, { id: own.request.id })).toMatchObject({
    because: null,
  });
  expect(await app.call(alone.people.passenger, rescue, { id: own.request.id })).toMatchObject({
    code: 404,
  });
});

test('passengers who lose their drivers at the same time get an email each, once, however often it is heard', async () => {
  app.clock.advance(30 * 24 * 60 * minuteMs);
  const fixtures = [await openAccessFixture(app, 'joined'), await openAccessFixture(app, 'joined')];
  for (const { people, ride } of fixtures)
    await app.ok(people.driver, cancelOrder, { id: ride.id, reason: 'Ill' });
  await app.deliver();
  await app.platform.transact('test', async (tx) => {
    for (const { people, request } of fixtures) {
      const moved = {
        requestId: request.id,
        move: 'rematch',
        to: 'matching',
        passengerId: people.passenger.id,
      };
      await app.platform.outbox.emit(tx, 'request.moved', moved, request.id);
    }
  });
  await app.deliver();
  for (const { people, request } of fixtures) {
    const letters = (await emailsTo(people.passenger.email)).filter(({ subject }) =>
      subject.includes('can’t make it'),
    );
    expect(letters).toHaveLength(1);
    expect(letters[0]!.body).toContain(`/pages/order/detail?id=${request.id}`);
  }
});

test('of passengers who lose their drivers at the same time each reads of the rides that they may see', async () => {
  app.clock.advance(30 * 24 * 60 * minuteMs);
  const fixtures = [await openAccessFixture(app, 'joined'), await openAccessFixture(app, 'joined')];
  const others = [
    await otherRide('Only Ona', fixtures[0]!, 5),
    await otherRide('Other Ozu', fixtures[1]!, 6),
    await otherRide('Blocked Bea', fixtures[1]!, 7),
  ];
  await app.ok(fixtures[1]!.people.passenger, blockPerson, { id: others[2]!.driver.id });
  for (const { people, ride } of fixtures)
    await app.ok(people.driver, cancelOrder, { id: ride.id, reason: 'Ill' });
  await app.deliver();
  const bodies = await Promise.all(
    fixtures.map(async ({ people }) =>
      (await emailsTo(people.passenger.email)).flatMap(({ subject, body }) =>
        subject.includes('can’t make it') ? body : [],
      ),
    ),
  );
  expect(bodies.map((of) => of.length)).toEqual([1, 1]);
  const named = bodies.map(([body]) =>
    ['Only Ona', 'Other Ozu', 'Blocked Bea'].filter((name) => body!.includes(name)),
  );
  expect(named).toEqual([['Only Ona'], ['Other Ozu']]);
});
