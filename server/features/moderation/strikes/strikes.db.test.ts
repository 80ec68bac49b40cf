import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { listFeedback, listReports, listUsers, suspendUser } from '#contract/admin/endpoints.ts';
import { appeal } from '#contract/feedback/endpoints.ts';
import { accept, askToJoin, cancelOrder } from '#contract/rides/endpoints.ts';
import { dayMs, hourMs, later } from '../../../platform/clock.ts';
import { hashSecret, newSecret } from '../../../platform/security/session.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { sessions } from '../../../schema/identity.ts';
import { strikes } from '../../../schema/moderation.ts';
import { openTestApp, type TestPerson } from '../../../testing/test-app.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';
import { bookingsOf } from '../../orders/store.ts';

const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

const reason = 'The car broke down';
const countOf = ({ id }: TestPerson) => app.platform.db.$count(strikes, eq(strikes.driverId, id));

/** Suspending ended every session. */
async function signedInAgain(person: TestPerson): Promise<TestPerson> {
  const token = newSecret();
  const now = app.clock.now();
  const ends = later(now, 30 * dayMs);
  await app.platform.db.insert(sessions).values({
    id: randomUUID(),
    userId: person.id,
    family: randomUUID(),
    accessHash: hashSecret(token),
    refreshHash: hashSecret(newSecret()),
    expiresAt: ends,
    refreshExpiresAt: ends,
    createdAt: now,
  });
  return { ...person, token };
}

/** A ride in a day that a passenger has joined. */
async function joinedRide(driver: TestPerson, vehicleId: string) {
  const passenger = await app.person('Pat');
  const ride = await publishRide(app, driver, { vehicleId });
  const request = await publishRequest(app, passenger);
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  return ride;
}

/** Repeats the log's signals about the bookings of a ride. */
const sayAgain = (rideId: string) =>
  app.platform.transact('say again', async (tx) => {
    const lost = await bookingsOf(tx, { rideIds: [rideId] });
    for (const { id: bookingId } of lost)
      await app.platform.outbox.emit(tx, 'driver.missed', { bookingId, by: 'passenger' }, rideId);
  });

async function cancelLate(driver: TestPerson, vehicleId: string) {
  const ride = await joinedRide(driver, vehicleId);
  app.clock.advance(2 * hourMs);
  await app.ok(driver, cancelOrder, { id: ride.id, reason });
  await app.deliver();
  return ride;
}

test('two late cancellations are looked at, three suspend, and the driver may say that it is wrong', async () => {
  const admin = await app.person('Ada', { isAdmin: true });
  const driver = await app.person('Late Lou');
  const vehicleId = await addVehicle(app, driver);
  const openReports = async () =>
    (await app.ok(admin, listReports, {})).reports.filter(({ subject }) => subject?.id === driver.id);

  const first = await cancelLate(driver, vehicleId);
  expect(await countOf(driver)).toBe(1);
  expect(await openReports()).toEqual([]);

  app.clock.advance(10 * dayMs);
  const second = await cancelLate(driver, vehicleId);
  expect(await openReports()).toMatchObject([
    { reporter: null, reason: 'late cancellations', words: `${first.orderNumber}, ${second.orderNumber}` },
  ]);

  app.clock.advance(10 * dayMs);
  await cancelLate(driver, vehicleId);
  const { users } = await app.ok(admin, listUsers, { only: 'suspended' });
  expect(users.map(({ person }) => person.id)).toContain(driver.id);
  expect(await openReports()).toHaveLength(1);

  const letters = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, driver.email));
  const letter = letters.find(({ subject }) => subject.includes('suspended'))!;
  expect(letter.body).toContain('In 6 months, you canceled 3 rides less than 24 hours before departure');
  const code = /appeal\?code=([\w-]+)/.exec(letter.body)![1]!;
  await app.ok(null, appeal, { code, message: 'My child was ill.' });
  const { messages } = await app.ok(admin, listFeedback, { only: 'all' });
  expect(messages).toMatchObject([{ author: { id: driver.id }, message: 'My child was ill.' }]);
  // After the suspension, the driver's count restarts.
  await app.ok(admin, suspendUser, { id: driver.id, suspended: false, reason: 'A good reason' });
  const back = await signedInAgain(driver);
  await cancelLate(back, vehicleId);
  const { users: still } = await app.ok(admin, listUsers, { only: 'suspended' });
  expect(still.map(({ person }) => person.id)).not.toContain(driver.id);

  expect(await app.call(null, appeal, { code: `${code}x`, message: 'x' })).toMatchObject({
    code: 422,
    reason: 'feedback.appealOver',
  });
});

test('where the suspension fails, the strike is not kept either: both come when it is heard again', async () => {
  const driver = await app.person('Cut-off Kim');
  const vehicleId = await addVehicle(app, driver);
  for (let time = 0; time < 2; time++) await cancelLate(driver, vehicleId);
  const ride = await joinedRide(driver, vehicleId);
  app.clock.advance(2 * hourMs);
  await app.ok(driver, cancelOrder, { id: ride.id, reason });
  const { signedTokens } = app.platform;
  const { sign } = signedTokens;
  signedTokens.sign = () => Promise.reject(new Error('The process dies here.'));
  await app.deliver();
  signedTokens.sign = sign;
  expect(await countOf(driver)).toBe(2);

  // It would be heard again after some seconds.
  await app.platform.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
  await app.deliver();
  expect(await countOf(driver)).toBe(3);
  const admin = await app.person('Alf', { isAdmin: true });
  const { users } = await app.ok(admin, listUsers, { only: 'suspended' });
  expect(users.map(({ person }) => person.id)).toContain(driver.id);
});

test('early cancellations and empty rides cost nothing; what is long ago is forgotten', async () => {
  const driver = await app.person('Early Eve');
  const vehicleId = await addVehicle(app, driver);
  // Slightly more than a day ahead.
  const early = await joinedRide(driver, vehicleId);
  app.clock.advance(-60_000);
  await app.ok(driver, cancelOrder, { id: early.id, reason });
  const empty = await publishRide(app, driver, { vehicleId });
  app.clock.advance(2 * hourMs);
  await app.ok(driver, cancelOrder, { id: empty.id, reason });
  await app.deliver();
  expect(await countOf(driver)).toBe(0);

  for (let time = 0; time < 3; time++) {
    await cancelLate(driver, vehicleId);
    app.clock.advance(190 * dayMs);
  }
  expect(await countOf(driver)).toBe(3);
  const admin = await app.person('Abe', { isAdmin: true });
  const { users } = await app.ok(admin, listUsers, { only: 'suspended' });
  expect(users.map(({ person }) => person.id)).not.toContain(driver.id);
});

test('of many that are canceled at the same time each ride counts once for its driver, however often it is heard', async () => {
  const drivers = [await app.person('Dee'), await app.person('Dov')];
  const rides = [];
  for (const driver of drivers) {
    const vehicleId = await addVehicle(app, driver);
    const ride = await joinedRide(driver, vehicleId);
    // Another passenger of the same ride is let down by the same cancellation.
    const passenger = await app.person('Pim');
    const request = await publishRequest(app, passenger);
    const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
    await app.ok(driver, accept, { bookingId: order.bookings[0]!.id });
    rides.push(ride);
  }
  const free = await app.person('Dot');
  const empty = await publishRide(app, free, { vehicleId: await addVehicle(app, free) });
  app.clock.advance(2 * hourMs);
  for (const [index, ride] of rides.entries())
    await app.ok(drivers[index]!, cancelOrder, { id: ride.id, reason });
  await app.ok(free, cancelOrder, { id: empty.id, reason });
  await app.deliver();
  for (const ride of rides) await sayAgain(ride.id);
  await app.deliver();
  expect(await Promise.all([...drivers, free].map(countOf))).toEqual([1, 1, 0]);
});
