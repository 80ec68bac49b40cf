import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { listFeedback, listReports, listUsers, suspendUser } from '#contract/admin/endpoints.ts';
import { appeal } from '#contract/feedback/endpoints.ts';
import { accept, askToJoin, cancelOrder } from '#contract/rides/endpoints.ts';
import { dayMs, hourMs, later } from '../../platform/clock.ts';
import { hashSecret, newSecret } from '../../platform/session.ts';
import { outboxLetters } from '../../schema/house.ts';
import { sessions } from '../../schema/identity.ts';
import { strikes } from '../../schema/strikes.ts';
import { openTestHouse, type TestPerson } from '../../testing/house.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';

const house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => house.close());

const reason = 'The car broke down';
const countOf = ({ id }: TestPerson) => house.platform.db.$count(strikes, eq(strikes.driverId, id));

/** Suspending ended every session. */
async function signedInAgain(person: TestPerson): Promise<TestPerson> {
  const token = newSecret();
  const now = house.clock.now();
  const ends = later(now, 30 * dayMs);
  await house.platform.db.insert(sessions).values({
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
  const passenger = await house.person('Pat');
  const ride = await publishRide(house, driver, { vehicleId });
  const request = await publishRequest(house, passenger);
  const { order } = await house.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await house.ok(driver, accept, { bookingId: order.bookings[0]!.id });
  return ride;
}

async function cancelLate(driver: TestPerson, vehicleId: string) {
  const ride = await joinedRide(driver, vehicleId);
  house.clock.advance(2 * hourMs);
  await house.ok(driver, cancelOrder, { id: ride.id, reason });
  await house.deliver();
  return ride;
}

test('two late cancellations are looked at, three suspend, and the driver may say that it is wrong', async () => {
  const admin = await house.person('Ada', { isAdmin: true });
  const driver = await house.person('Late Lou');
  const vehicleId = await addVehicle(house, driver);
  const openReports = async () =>
    (await house.ok(admin, listReports, {})).reports.filter(({ subject }) => subject?.id === driver.id);

  const first = await cancelLate(driver, vehicleId);
  expect(await countOf(driver)).toBe(1);
  expect(await openReports()).toEqual([]);

  house.clock.advance(10 * dayMs);
  const second = await cancelLate(driver, vehicleId);
  expect(await openReports()).toMatchObject([
    { reporter: null, reason: 'late cancellations', words: `${first.orderNumber}, ${second.orderNumber}` },
  ]);

  house.clock.advance(10 * dayMs);
  await cancelLate(driver, vehicleId);
  const { users } = await house.ok(admin, listUsers, { only: 'suspended' });
  expect(users.map(({ person }) => person.id)).toContain(driver.id);
  expect(await openReports()).toHaveLength(1);

  const letters = await house.platform.db
    .select()
    .from(outboxLetters)
    .where(eq(outboxLetters.recipient, driver.email));
  const letter = letters.find(({ subject }) => subject.includes('suspended'))!;
  expect(letter.body).toContain(
    'Within 6 months you have canceled 3 rides less than 24 hours before departure',
  );
  const code = /appeal\?code=([\w-]+)/.exec(letter.body)![1]!;
  await house.ok(null, appeal, { code, message: 'My child was ill.' });
  const { messages } = await house.ok(admin, listFeedback, { only: 'all' });
  expect(messages).toMatchObject([{ author: { id: driver.id }, message: 'My child was ill.' }]);
  // Let in again, the driver starts anew.
  await house.ok(admin, suspendUser, { id: driver.id, suspended: false, reason: 'A good reason' });
  const back = await signedInAgain(driver);
  await cancelLate(back, vehicleId);
  const { users: still } = await house.ok(admin, listUsers, { only: 'suspended' });
  expect(still.map(({ person }) => person.id)).not.toContain(driver.id);

  expect(await house.call(null, appeal, { code: `${code}x`, message: 'x' })).toMatchObject({
    code: 422,
    reason: 'feedback.appealOver',
  });
});

test('early cancellations and empty rides cost nothing; what is long ago is forgotten', async () => {
  const driver = await house.person('Early Eve');
  const vehicleId = await addVehicle(house, driver);
  // A day and a moment ahead.
  const early = await joinedRide(driver, vehicleId);
  house.clock.advance(-60_000);
  await house.ok(driver, cancelOrder, { id: early.id, reason });
  const empty = await publishRide(house, driver, { vehicleId });
  house.clock.advance(2 * hourMs);
  await house.ok(driver, cancelOrder, { id: empty.id, reason });
  await house.deliver();
  expect(await countOf(driver)).toBe(0);

  for (let time = 0; time < 3; time++) {
    await cancelLate(driver, vehicleId);
    house.clock.advance(190 * dayMs);
  }
  expect(await countOf(driver)).toBe(3);
  const admin = await house.person('Abe', { isAdmin: true });
  const { users } = await house.ok(admin, listUsers, { only: 'suspended' });
  expect(users.map(({ person }) => person.id)).not.toContain(driver.id);
});
