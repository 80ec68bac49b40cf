import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '#contract/admin/endpoints.ts';
import {
  answerChargeback,
  clearChargeback,
  earnings,
  endAlarm,
  listMoney,
  openDispute,
  resolveDispute,
} from '#contract/payments/endpoints.ts';
import {
  accept,
  arrive,
  askToJoin,
  cancelOrder,
  cancelPreview,
  confirmMeeting,
  depart,
  orderDetail,
  pickUp,
  reach,
} from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { authorizations, chargebacks, ledgerLines } from '../../../schema/payments.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { addCard, objectedNumbers, onboard, payIn, testNumbers } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { workOnBooking } from '../authorizations/worker.ts';
import { compareBooks } from '../books/compare-books.ts';
import { lookForEvents } from '../work-due.ts';

let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' } });
  admin = await app.person('Admin', { isAdmin: true });
});
afterAll(async () => {
  // Whatever became of them, the ledger says what the provider's balance says, and nothing is left between
  // the two.
  const compared = (await compareBooks(app.platform))!;
  expect(compared.ledgerCents).toBe(compared.providerCents);
  expect(compared.openCents).toEqual({ cards: 0, drivers: 0, disputes: 0 });
  await app.close();
});

async function settled(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    app.clock.advance(minuteMs + 1000);
    await app.deliver();
    await app.scheduler.tick();
    await app.deliver();
  }
}

async function paidRide(more: Record<string, unknown> = {}) {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  return { driver, ride: await publishRide(app, driver, { vehicleId, costCents: 2000, ...more }) };
}

async function ask(passenger: TestPerson, ride: Pick<Ride, 'id' | 'departsAt'>) {
  const departsAt = new Date(ride.departsAt);
  const request = await publishRequest(app, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const answer = await app.call(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  if (answer.code !== 200) await app.ok(passenger, cancelOrder, { id: request.id });
  return { requestId: request.id, answer };
}

/** A ride that was paid with such a card and is over. */
async function ridden(card: string) {
  const { driver, ride } = await paidRide();
  const passenger = await app.person('Passenger');
  await addCard(app, passenger, card);
  const { requestId, answer } = await ask(passenger, ride);
  const bookingId = answer.data!.order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  app.clock.moveTo(later(new Date(ride.departsAt), -2 * minuteMs));
  await settled();
  await app.ok(driver, reach, { id: ride.id, reason: 'At the corner' });
  const { order } = await app.ok(driver, orderDetail, { id: ride.id });
  if (order.bookings[0]!.state !== 'driver reached') {
    await app.ok(driver, depart, { id: ride.id });
    await app.ok(driver, reach, { id: ride.id, bookingId, reason: 'At the corner' });
  }
  await app.ok(driver, pickUp, { bookingId });
  await app.ok(passenger, confirmMeeting, { bookingId });
  const now = await app.ok(driver, orderDetail, { id: ride.id });
  if (now.order.state === 'driver reached') await app.ok(driver, depart, { id: ride.id });
  await app.ok(driver, arrive, { id: ride.id });
  await settled();
  await settled();
  return { driver, passenger, ride, requestId, bookingId };
}

const authorizationOf = async (bookingId: string) =>
  (await app.platform.db.select().from(authorizations).where(eq(authorizations.bookingId, bookingId)))[0]!;

/** The bank behind a card that was good so far takes its payment back. */
async function bankObjects({ paymentId }: { paymentId: string | null }): Promise<void> {
  const isOf = sql`kind = 'charge' and body ->> 'payment_intent' = ${paymentId}`;
  await app.platform.db.execute(sql`update sandbox_objects
    set hidden = jsonb_set(hidden, '{card}', to_jsonb(${objectedNumbers.disputedAsFraud}::text))
    where id = (select body ->> 'payment_method' from sandbox_objects where ${isOf})`);
  await app.platform.db.execute(
    sql`update sandbox_objects set due_at = ${app.clock.now().toISOString()} where ${isOf}`,
  );
}

async function chargebackOf(bookingId: string) {
  const { chargebacks: all } = await app.ok(admin, listMoney, {});
  return all.find((each) => each.bookingId === bookingId)!;
}

const emailsTo = async (address: string) =>
  (await app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, address))).map(
    ({ body }) => body,
  );

test('won: the driver is paid again, the passenger may go on, the ledger holds amount, fee and outcome', async () => {
  const { driver, passenger, bookingId } = await ridden(objectedNumbers.disputedAsFraud);
  const { id } = await chargebackOf(bookingId);
  const other = await paidRide();
  expect((await ask(passenger, other.ride)).answer).toMatchObject({ code: 409, reason: 'payment.blocked' });
  await app.ok(admin, answerChargeback, { id, text: 'winning_evidence: they rode along' });
  expect(await app.call(admin, answerChargeback, { id, text: 'more' })).toMatchObject({
    reason: 'chargeback.closed',
  });
  // The provider must have made the platform's money available before it can be sent on.
  app.clock.advance(3 * dayMs);
  for (let round = 0; round < 4; round++) await settled();
  app.clock.advance(2 * hourMs);
  for (let round = 0; round < 4; round++) await settled();
  expect(await chargebackOf(bookingId)).toMatchObject({
    state: 'won',
    withdrawnCents: 0,
    feeCents: 0,
    transfer: 'sentAgain',
  });
  expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({ state: 'paid', netCents: 1712 });
  const again = await paidRide();
  expect((await ask(passenger, again.ride)).answer.code).toBe(200);
  const lines = await app.platform.db
    .select()
    .from(ledgerLines)
    .where(eq(ledgerLines.authorizationId, (await authorizationOf(bookingId)).id));
  const sums = (what: string) =>
    Object.fromEntries(
      lines.filter((line) => line.what === what).map(({ account, cents }) => [account, cents]),
    );
  expect(sums('charged back')).toEqual({ drivers: 1712, fees: 288, disputes: -2000 });
  expect(sums('sent again')).toEqual({ drivers: -1712, fees: -288, disputes: 2000 });
});

test('won, paid again, and overruled by the bank: the driver’s part comes back a second time, and the ledger says so', async () => {
  const { driver, bookingId } = await ridden(objectedNumbers.disputedAsFraud);
  const { id } = await chargebackOf(bookingId);
  await app.ok(admin, answerChargeback, { id, text: 'winning_evidence_overruled: they rode along' });
  app.clock.advance(3 * dayMs);
  for (let round = 0; round < 4; round++) await settled();
  app.clock.advance(2 * hourMs);
  for (let round = 0; round < 4; round++) await settled();
  expect(await chargebackOf(bookingId)).toMatchObject({ state: 'won', transfer: 'sentAgain' });
  app.clock.advance(31 * dayMs);
  for (let round = 0; round < 4; round++) await settled();
  expect(await chargebackOf(bookingId)).toMatchObject({
    state: 'lost',
    withdrawnCents: 2000,
    transfer: 'takenBack',
  });
  expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({ netCents: 0 });
  const { alarms } = await app.ok(admin, listMoney, {});
  const own = alarms.filter(({ about }) => about === id);
  expect(own).toMatchObject([{ kind: 'chargeback' }]);
  await app.ok(admin, endAlarm, { id: own[0]!.id });
  const { openCents, ledgerCents, providerCents } = (await compareBooks(app.platform))!;
  expect(ledgerCents).toBe(providerCents);
  expect(openCents).toEqual({ cards: 0, drivers: 0, disputes: 0 });
});

test('won while the platform has no money: admins read why the driver has to wait, and once money is paid in they are paid', async () => {
  const { driver, bookingId } = await ridden(objectedNumbers.disputedAsFraud);
  const { id } = await chargebackOf(bookingId);
  const ownMoneyCents = 100_000_00;
  await payIn(app, -ownMoneyCents);
  await app.ok(admin, answerChargeback, { id, text: 'winning_evidence: they rode along' });
  app.clock.advance(3 * dayMs);
  for (let round = 0; round < 4; round++) await settled();
  expect(await chargebackOf(bookingId)).toMatchObject({ state: 'won', transfer: 'toSendAgain' });
  const refused = (await app.ok(admin, listMoney, {})).alarms.find(({ about }) => about === id);
  expect(refused).toMatchObject({
    kind: 'transferRefused',
    detail: 'balance_insufficient',
    canRetry: true,
  });
  await payIn(app, ownMoneyCents);
  await app.ok(admin, endAlarm, { id: refused!.id, again: true });
  for (let round = 0; round < 2; round++) await settled();
  expect(await chargebackOf(bookingId)).toMatchObject({ transfer: 'sentAgain' });
  expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({ state: 'paid', netCents: 1712 });
  expect((await app.ok(admin, listMoney, {})).alarms.filter(({ about }) => about === id)).toEqual([]);
});

test.each([
  ['nothing', 0],
  ['a part', 701],
])(
  'won, after %s was given back and a refund was decided meanwhile: the passenger gets it',
  async (_what, firstCents) => {
    const { driver, bookingId } = await ridden(testNumbers.good);
    const before = await authorizationOf(bookingId);
    const wanting = (refundGoalCents: number) =>
      app.platform.db
        .update(authorizations)
        .set({ refundGoalCents, nextAt: app.clock.now(), version: sql`version + 1` })
        .where(eq(authorizations.bookingId, bookingId));
    if (firstCents > 0) {
      await wanting(firstCents);
      await settled();
      expect(await authorizationOf(bookingId)).toMatchObject({ refundedCents: firstCents });
    }
    await bankObjects(before);
    await settled();
    const { id } = await chargebackOf(bookingId);
    await wanting(1501);
    await settled();
    expect(await authorizationOf(bookingId)).toMatchObject({
      refundedCents: firstCents,
      isChargedBack: true,
    });
    await app.ok(admin, answerChargeback, { id, text: 'winning_evidence: they rode along' });
    app.clock.advance(3 * dayMs);
    for (let round = 0; round < 4; round++) await settled();
    app.clock.advance(2 * hourMs);
    for (let round = 0; round < 4; round++) await settled();
    expect(await chargebackOf(bookingId)).toMatchObject({ state: 'won', transfer: 'sentAgain' });
    expect(await authorizationOf(bookingId)).toMatchObject({
      refundedCents: 1501,
      isChargedBack: false,
      trouble: null,
    });
    // The rest, later.
    await wanting(2000);
    await settled();
    expect(await authorizationOf(bookingId)).toMatchObject({ refundedCents: 2000, trouble: null });
    expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({
      state: 'refunded',
      netCents: 0,
    });
    const { alarms } = await app.ok(admin, listMoney, {});
    expect(alarms.filter(({ kind }) => kind === 'refundRefused')).toEqual([]);
  },
);

test('a bank takes a payment back: admins see it with what speaks for the ride, the driver’s part comes back, nothing is given back on top', async () => {
  const { driver, passenger, bookingId } = await ridden(objectedNumbers.disputedAsFraud);
  const chargeback = await chargebackOf(bookingId);
  expect(chargeback).toMatchObject({
    state: 'needs_response',
    reason: 'fraudulent',
    amountCents: 2000,
    feeCents: 1500,
    withdrawnCents: 2000,
    hasEvidence: false,
    transfer: 'takenBack',
    passenger: { id: passenger.id },
    driver: { id: driver.id },
  });
  expect(new Date(chargeback.evidenceDueAt!).getTime()).toBeGreaterThan(app.clock.now().getTime());
  const { timeline, boarding, chat } = chargeback.evidence!;
  expect(timeline.map(({ move }) => move)).toEqual(
    expect.arrayContaining(['ask', 'agree', 'pay', 'board', 'arrive']),
  );
  expect(boarding).not.toBeNull();
  expect(chat).toMatchObject({ messages: 0 });

  const { alarms } = await app.ok(admin, listMoney, {});
  expect(alarms).toMatchObject([{ kind: 'chargeback', about: chargeback.id, times: 1 }]);
  expect((await emailsTo(admin.email)).join('\n')).toContain('A bank took a payment back.');

  expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({
    state: 'chargedBack',
    grossCents: 2000,
    netCents: 0,
  });
  expect((await app.ok(driver, earnings, {})).netCents).toBe(0);

  // A claim in the app refunds nothing on top, and an admin can't either.
  const claim = await app.ok(passenger, openDispute, { bookingId, text: 'It was not me' });
  expect(
    await app.call(admin, resolveDispute, { disputeId: claim.id, refundCents: 500, decision: 'Half' }),
  ).toMatchObject({ code: 409, reason: 'dispute.chargedBack' });
  expect((await authorizationOf(bookingId)).refundedCents).toBe(0);
});

test('a refund that was decided when the bank objects waits for the bank', async () => {
  const { driver, ride } = await paidRide({ departsAt: later(app.clock.now(), 30 * hourMs).toISOString() });
  const passenger = await app.person('Passenger');
  await addCard(app, passenger, objectedNumbers.disputedAsNotReceived);
  const { requestId, answer } = await ask(passenger, ride);
  const bookingId = answer.data!.order.bookings[0]!.id;
  const { booking } = await app.ok(driver, accept, { bookingId });
  app.clock.moveTo(later(new Date(booking.pickup.at), -5 * hourMs));
  const { seen } = await app.ok(passenger, cancelPreview, { id: requestId });
  await app.ok(passenger, cancelOrder, { id: requestId, seen });
  await workOnBooking(app.platform, bookingId);
  const taken = await authorizationOf(bookingId);
  expect(taken.capturedCents).toBeGreaterThan(0);
  await settled();
  expect((await authorizationOf(bookingId)).isChargedBack).toBe(true);
  // Wanted all the same, by a person who did not know.
  await app.platform.db
    .update(authorizations)
    .set({ refundGoalCents: taken.capturedCents, nextAt: app.clock.now(), version: sql`version + 1` })
    .where(eq(authorizations.bookingId, bookingId));
  await settled();
  expect(await authorizationOf(bookingId)).toMatchObject({ refundedCents: 0, nextAt: null });
});

test('lost: the passenger pays no ride by card until an admin lets them, and it is written down who did', async () => {
  const { driver, passenger, bookingId } = await ridden(objectedNumbers.disputedAsFraud);
  const { id } = await chargebackOf(bookingId);
  await app.ok(admin, answerChargeback, { id, text: 'losing_evidence' });
  await settled();
  await settled();
  expect(await chargebackOf(bookingId)).toMatchObject({
    state: 'lost',
    transfer: 'takenBack',
    feeCents: 1500,
  });
  expect((await app.ok(driver, earnings, {})).earnings[0]).toMatchObject({
    state: 'chargedBack',
    netCents: 0,
  });
  const other = await paidRide();
  expect((await ask(passenger, other.ride)).answer.reason).toBe('payment.blocked');
  // A free ride is open to them.
  const free = await publishRide(app, await app.person('Driver'), { costCents: 0 });
  const asked = await ask(passenger, free);
  expect(asked.answer.code).toBe(200);
  await app.ok(passenger, cancelOrder, { id: asked.requestId });
  await app.ok(admin, clearChargeback, { id, note: 'Paid in cash' });
  const again = await paidRide();
  expect((await ask(passenger, again.ride)).answer.code).toBe(200);
  expect((await app.ok(admin, listAudit, {})).entries[0]).toMatchObject({
    action: 'chargeback.cleared',
    person: { id: passenger.id },
    note: `${id}: Paid in cash`,
  });
  const { alarms } = await app.ok(admin, listMoney, {});
  expect(alarms.filter(({ about }) => about === id)).toEqual([]);
});

test('a bank that only warns: admins see it, and nothing new is joined until one has looked at it', async () => {
  const { passenger, bookingId } = await ridden(objectedNumbers.warnedOf);
  const { warnings, alarms } = await app.ok(admin, listMoney, {});
  const warning = warnings.find((each) => each.bookingId === bookingId)!;
  expect(warning).toMatchObject({ passenger: { id: passenger.id }, fraudType: 'made_with_stolen_card' });
  expect(alarms.find(({ about }) => about === warning.id)).toMatchObject({ kind: 'fraudWarning' });
  const other = await paidRide();
  expect((await ask(passenger, other.ride)).answer.reason).toBe('payment.blocked');
  await app.ok(admin, clearChargeback, { id: warning.id, note: 'Known' });
  expect((await app.ok(admin, listMoney, {})).warnings.map(({ id }) => id)).not.toContain(warning.id);
  const again = await paidRide();
  expect((await ask(passenger, again.ride)).answer.code).toBe(200);
});

test('the same news twice, late and in any order changes nothing', async () => {
  const { bookingId } = await ridden(objectedNumbers.disputedAsFraud);
  const before = await chargebackOf(bookingId);
  await app.platform.db.execute(sql`update provider_events set next_at = ${app.clock.now().toISOString()}`);
  await lookForEvents(app.platform);
  await settled();
  expect(await chargebackOf(bookingId)).toEqual(before);
  const rows = await app.platform.db.select().from(chargebacks).where(eq(chargebacks.id, before.id));
  expect(rows).toHaveLength(1);
  const { alarms } = await app.ok(admin, listMoney, {});
  const alarm = alarms.find(({ about }) => about === before.id)!;
  expect(alarm.times).toBe(1);
  await app.ok(admin, endAlarm, { id: alarm.id });
  expect((await app.call(admin, endAlarm, { id: alarm.id })).reason).toBe('alarm.over');
});
