import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '#contract/admin/endpoints.ts';
import {
  earnings,
  listHolds,
  openDispute,
  resolveDispute,
  writeOffDebt,
} from '#contract/payments/endpoints.ts';
import { deleteAccount, deletePreview } from '#contract/privacy/endpoints.ts';
import { accept, askToJoin, cancelOrder, cancelPreview, orderDetail } from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { dayMs, hourMs, later, minuteMs } from '../../platform/clock.ts';
import { users } from '../../schema/identity.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { strikes } from '../../schema/moderation.ts';
import { authorizations, ledgerLines } from '../../schema/payments.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';

let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' } });
  admin = await app.person('Admin', { isAdmin: true });
});
afterAll(() => app.close());

async function settled(rounds = 2): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    app.clock.advance(minuteMs + 1000);
    await app.deliver();
    await app.scheduler.tick();
    await app.deliver();
  }
}

async function join(driver: TestPerson, ride: Pick<Ride, 'id' | 'departsAt'>, passenger: TestPerson) {
  const departsAt = new Date(ride.departsAt);
  const request = await publishRequest(app, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  return { requestId: request.id, bookingId };
}

async function paidRide(driver: TestPerson, aheadMs: number) {
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const departsAt = later(app.clock.now(), aheadMs).toISOString();
  return publishRide(app, driver, { vehicleId, costCents: 2000, departsAt });
}

/** A passenger who owes the fare of a ride that is over: the bank refuses it. */
async function debtor() {
  const driver = await app.person('Driver');
  const passenger = await app.person('Debtor');
  await addCard(app, passenger);
  const { bookingId, requestId } = await join(driver, await paidRide(driver, dayMs), passenger);
  const at = app.clock.now();
  const { db } = app.platform;
  const owed = { goal: 'capture', captureCents: 2000, captureAt: at, settledAt: at, nextAt: null } as const;
  const [hold] = await db
    .update(authorizations)
    .set({ ...owed, state: 'requires_payment_method', declineCode: 'insufficient_funds', authorizedCents: 0 })
    .where(eq(authorizations.bookingId, bookingId))
    .returning();
  const { rideId } = hold!;
  await db.execute(sql`update bookings set state = 'finished', ended_at = now() where id = ${bookingId}`);
  await db.execute(sql`update requests set state = 'finished', ended_at = now() where id = ${requestId}`);
  await db.execute(sql`update rides set state = 'finished', ended_at = now() where id = ${rideId}`);
  await db.execute(sql`delete from order_spans where person_id in (${passenger.id}, ${driver.id})`);
  return { driver, passenger, bookingId, authorizationId: hold!.id };
}

const dueAtOf = async (person: TestPerson) =>
  (await app.platform.db.select().from(users).where(eq(users.id, person.id)))[0]!.deletionDueAt;

test('a deletion that is refused for a fee has canceled nothing, and names everything that it would cancel', async () => {
  const me = await app.person('Me');
  await addCard(app, me);
  const friend = await app.person('Friend');
  const now = app.clock.now();
  const mine = await publishRide(app, me, { departsAt: later(now, 23 * hourMs).toISOString() });
  await join(me, mine, friend);
  const other = await app.person('Other');
  const { requestId } = await join(other, await paidRide(other, 12 * hourMs), me);
  const refused = await app.call(me, deleteAccount, {});
  expect(refused).toMatchObject({
    code: 409,
    reason: 'privacy.feeDue',
    data: {
      amountCents: 1000,
      preview: {
        orders: [
          { id: requestId, role: 'passenger', feeCents: 1000, strike: false, may: true },
          { id: mine.id, role: 'driver', joined: 1, feeCents: 0, strike: true, may: true },
        ],
      },
    },
  });
  expect(await app.ok(me, deletePreview, {})).toEqual((refused.data as { preview?: unknown }).preview);
  await settled();
  const { order } = await app.ok(me, orderDetail, { id: mine.id });
  expect(order).toMatchObject({ state: 'matching', bookings: [{ state: 'joined' }] });
  expect(await app.platform.db.$count(strikes, eq(strikes.driverId, me.id))).toBe(0);
  expect(await dueAtOf(me)).toBeNull();

  const { seen } = await app.ok(me, cancelPreview, { id: requestId });
  await app.ok(me, cancelOrder, { id: requestId, seen });
  await settled();
  expect(await app.ok(me, deleteAccount, {})).toMatchObject({ canceledOrders: 1 });
});

test('who owes pays first; a debt that an admin writes off stands in the ledger and in the log', async () => {
  const { driver, passenger, bookingId, authorizationId } = await debtor();
  expect(await app.call(passenger, deleteAccount, {})).toMatchObject({
    code: 409,
    reason: 'privacy.owes',
    data: { amountCents: 2000, preview: { owedCents: 2000 } },
  });
  const { holds } = await app.ok(admin, listHolds, {});
  expect(holds.find(({ id }) => id === authorizationId)).toMatchObject({ isDebt: true, owedCents: 2000 });
  const driving = await app.person('Driving');
  expect(await app.call(driving, writeOffDebt, { id: authorizationId, note: 'x' })).toMatchObject({
    code: 403,
  });
  await app.ok(admin, writeOffDebt, { id: authorizationId, note: 'They lost their card' });
  expect(await app.call(admin, writeOffDebt, { id: authorizationId, note: 'Again' })).toMatchObject({
    code: 409,
    reason: 'debt.over',
  });
  const lines = await app.platform.db
    .select()
    .from(ledgerLines)
    .where(eq(ledgerLines.authorizationId, authorizationId));
  const own = lines.filter(({ what }) => what === 'written off');
  expect(own.map(({ account, cents }) => [account, cents])).toEqual([
    ['writtenOff', 2000],
    ['drivers.writtenOff', -2000],
  ]);
  expect((await app.ok(admin, listAudit, {})).entries[0]).toMatchObject({
    action: 'debt.writtenOff',
    person: { id: passenger.id },
    note: expect.stringContaining('$20.00: They lost their card') as string,
  });
  await settled();
  const [hold] = await app.platform.db
    .select()
    .from(authorizations)
    .where(eq(authorizations.bookingId, bookingId));
  expect(hold).toMatchObject({ state: 'canceled', capturedCents: 0 });
  expect((await app.ok(driver, earnings, {})).comingCents).toBe(0);
  // Both hear of it: the one owes nothing any more, the other gets nothing.
  await settled(3);
  const toldOf = async (who: TestPerson) =>
    (await app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, who.email))).map(
      ({ subject }) => subject,
    );
  expect(await toldOf(passenger)).toContain('You no longer owe $20.00 for your ride');
  expect(await toldOf(driver)).toContain('We wrote off the $20.00 that Debtor couldn’t pay for your ride');
  await app.ok(passenger, deleteAccount, {});
});

test('a dispute is decided before either side of it leaves, also where it was opened after they asked', async () => {
  const { driver, passenger, bookingId, authorizationId } = await debtor();
  await app.ok(driver, deleteAccount, {});
  const claim = await app.ok(passenger, openDispute, { bookingId, text: 'No one came' });
  for (const person of [passenger, driver])
    expect(await app.ok(person, deletePreview, {})).toMatchObject({ openDisputes: 1 });
  expect(await app.call(admin, writeOffDebt, { id: authorizationId, note: 'Old' })).toMatchObject({
    reason: 'debt.disputed',
  });
  app.clock.advance(14 * dayMs + hourMs);
  await app.scheduler.tick();
  // The deletion is put off until the dispute is decided.
  expect((await dueAtOf(driver))!.getTime()).toBeGreaterThan(app.clock.now().getTime());
  const decision = { disputeId: claim.id, refundCents: 2000, decision: 'No one came' };
  await app.ok(await app.person('Second', { isAdmin: true }), resolveDispute, decision);
  app.clock.advance(2 * hourMs);
  await app.scheduler.tick();
  const [gone] = await app.platform.db.select().from(users).where(eq(users.id, driver.id));
  expect(gone?.deletedAt).not.toBeNull();
});

test('a refund arrives before its passenger leaves; what the bank has taken back already is none', async () => {
  const { passenger, authorizationId } = await debtor();
  const write = (part: Partial<typeof authorizations.$inferInsert>) =>
    app.platform.db.update(authorizations).set(part).where(eq(authorizations.id, authorizationId));
  await write({ state: 'succeeded', capturedCents: 2000, refundGoalCents: 500, refundedCents: 499 });
  expect(await app.call(passenger, deleteAccount, {})).toMatchObject({
    code: 409,
    reason: 'privacy.refundOpen',
    data: { preview: { owedCents: 0, openRefunds: 1 } },
  });
  await write({ isChargedBack: true });
  expect(await app.ok(passenger, deletePreview, {})).toMatchObject({ openRefunds: 0 });
  await write({ isChargedBack: false, refundedCents: 500 });
  await app.ok(passenger, deleteAccount, {});
});
