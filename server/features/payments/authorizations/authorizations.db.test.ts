import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  authorize,
  deleteMethod,
  listHolds,
  listMoney,
  paymentMethods,
  setDefaultMethod,
} from '#contract/payments/endpoints.ts';
import { accept, askToJoin, cancelOrder, cancelPreview, orderDetail } from '#contract/rides/endpoints.ts';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../../../platform/clock.ts';
import { authorizations, providerCursors, providerEvents } from '../../../schema/payments.ts';
import { fickleClient } from '../../../testing/fickle-client.ts';
import { addCard, onboard, testNumbers } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { writeNotedAlarms } from '../alarms/raise-alarm.ts';
import { workOnPayments, lookForEvents } from '../work-due.ts';
import { followRide } from './plan-authorization.ts';
import { leaseDueAuthorizations } from './store.ts';
import { workOnBooking } from './worker.ts';

const { client, trouble } = fickleClient();
let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' }, cardClient: client });
  admin = await app.person('Admin', { isAdmin: true });
});
afterAll(() => app.close());

async function asked(card: string = testNumbers.good, inMs = 30 * hourMs) {
  const driver = await app.person('Driver');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const departsAt = later(app.clock.now(), inMs);
  const ride = await publishRide(app, driver, {
    vehicleId,
    costCents: 2000,
    departsAt: departsAt.toISOString(),
  });
  const passenger = await app.person('Passenger');
  await addCard(app, passenger, card);
  const request = await publishRequest(app, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  return { driver, passenger, ride, requestId: request.id, bookingId: order.bookings[0]!.id };
}

async function joined() {
  const who = await asked();
  const { booking } = await app.ok(who.driver, accept, { bookingId: who.bookingId });
  expect(booking.state).toBe('joined');
  return who;
}

/** Cancels for the fee that is shown. */
async function leave(passenger: TestPerson, requestId: string): Promise<void> {
  const { seen } = await app.ok(passenger, cancelPreview, { id: requestId });
  await app.ok(passenger, cancelOrder, { id: requestId, seen });
}

const authorizationsOf = (bookingId: string) =>
  app.platform.db.select().from(authorizations).where(eq(authorizations.bookingId, bookingId));
const authorizationOf = async (bookingId: string) =>
  (await authorizationsOf(bookingId)).find(({ isCurrent }) => isCurrent)!;

async function work(): Promise<void> {
  app.clock.advance(2 * secondMs);
  await workOnPayments(app.platform);
  await writeNotedAlarms(app.platform);
}

/** The payments that the provider has of a passenger's authorization. */
async function paymentsOf(bookingId: string) {
  const { id: authorizationId, passengerId } = (await authorizationsOf(bookingId))[0]!;
  const found = await app.platform.db.execute<{ customer_id: string }>(
    sql`select customer_id from payers where user_id = ${passengerId}`,
  );
  const customerId = found.rows[0]!.customer_id;
  const listed = await app.platform.payments.provider.paymentsOf({
    customerId,
    since: new Date(0),
    authorizationId: authorizationId,
  });
  return listed.outcome === 'done' ? listed.value : [];
}

test('a hold that has ended is read and not captured; the debt is asked for anew', async () => {
  const capture = vi.spyOn(app.platform.payments.provider, 'capture');
  // The app was away until the authorization had ended at the provider.
  const { bookingId } = await joined();
  const error = vi.spyOn(app.platform.log, 'error');
  const debt = await authorizationOf(bookingId);
  await app.platform.db
    .update(authorizations)
    .set({
      goal: 'capture',
      captureCents: 2000,
      captureAt: later(app.clock.now(), 30 * dayMs),
      nextAt: later(app.clock.now(), 30 * dayMs),
      version: sql`version + 1`,
    })
    .where(eq(authorizations.id, debt.id));
  app.clock.advance(31 * dayMs);
  for (let round = 0; round < 3; round++) await work();
  const asks = capture.mock.calls.map(([{ paymentId }]) => paymentId);
  expect(asks).not.toContain(debt.paymentId);
  expect(error.mock.calls.map(([about]) => JSON.stringify(about))).not.toContainEqual(
    expect.stringContaining('payment_intent_unexpected_state'),
  );
  expect(await authorizationOf(bookingId)).toMatchObject({ state: 'succeeded', capturedCents: 2000 });
  error.mockRestore();
  capture.mockRestore();
}, 120_000);

test('a hold that is let go out of the ordinary is asked for anew as soon as the provider tells of it', async () => {
  const { bookingId } = await joined();
  const before = await authorizationOf(bookingId);
  const gone = await app.platform.payments.provider.cancel(before.paymentId!, crypto.randomUUID());
  expect(gone.outcome).toBe('done');
  await lookForEvents(app.platform);
  await work();
  const after = await authorizationOf(bookingId);
  expect(after.id).not.toBe(before.id);
  expect(after).toMatchObject({ state: 'requires_capture', authorizedCents: 2000 });
}, 60_000);

test('an ask whose answer was lost for a day is looked for, and holds once', async () => {
  const { driver, bookingId } = await asked(testNumbers.good, 60 * hourMs);
  trouble.is = 'answerLost';
  await app.ok(driver, accept, { bookingId });
  trouble.is = 'none';
  // The provider forgets keys after a day.
  app.clock.advance(25 * hourMs);
  await app.platform.db
    .update(authorizations)
    .set({ goal: 'authorize', nextAt: app.clock.now(), version: sql`version + 1`, isCurrent: true })
    .where(eq(authorizations.bookingId, bookingId));
  const asking = vi.spyOn(app.platform.payments.provider, 'authorize');
  await work();
  expect(asking).not.toHaveBeenCalled();
  expect(await paymentsOf(bookingId)).toMatchObject([{ state: 'requires_capture', authorizedCents: 2000 }]);
  expect(await authorizationOf(bookingId)).toMatchObject({
    state: 'requires_capture',
    authorizedCents: 2000,
  });
  asking.mockRestore();
}, 60_000);

test('an ask that never arrived, for a ride the passenger has left, is not made after all', async () => {
  const { driver, passenger, requestId, bookingId } = await asked();
  trouble.is = 'away';
  await app.ok(driver, accept, { bookingId });
  await leave(passenger, requestId);
  trouble.is = 'none';
  const asking = vi.spyOn(app.platform.payments.provider, 'authorize');
  for (const ms of [minuteMs, 6 * minuteMs, 10 * minuteMs]) {
    app.clock.advance(ms);
    await work();
  }
  expect(asking).not.toHaveBeenCalled();
  expect(await paymentsOf(bookingId)).toEqual([]);
  expect(await authorizationsOf(bookingId)).toMatchObject([
    { state: 'canceled', goal: 'cancel', nextAt: null },
  ]);
  asking.mockRestore();
}, 60_000);

test('an ask that was refused and replaced is over once it is known that it has made no payment', async () => {
  const { driver, passenger, bookingId } = await asked();
  const { makeRequest } = client;
  const spy = vi.spyOn(client, 'makeRequest').mockImplementation(async (...request) => {
    if (request[2] !== '/v1/payment_intents' || request[3] !== 'POST')
      return makeRequest.apply(client, request);
    // It makes no payment: another thing is read instead.
    const instead = [...request] as typeof request;
    [instead[2], instead[3], instead[5]] = ['/v1/balance', 'GET', ''];
    const answer = await makeRequest.apply(client, instead);
    return Object.assign(Object.create(answer) as typeof answer, {
      getStatusCode: () => 400,
      toJSON: async () => ({
        error: {
          type: 'invalid_request_error',
          code: 'payment_method_unexpected_state',
          message: 'It ended.',
        },
      }),
    });
  });
  await app.ok(driver, accept, { bookingId });
  spy.mockRestore();
  const refused = await authorizationOf(bookingId);
  expect(refused).toMatchObject({ state: 'requires_payment_method', paymentId: null });
  const { id: methodId } = await addCard(app, passenger);
  await app.ok(passenger, authorize, { bookingId, methodId });
  app.clock.advance(6 * minuteMs);
  await work();
  await work();
  expect(await authorizationsOf(bookingId)).toContainEqual(
    expect.objectContaining({
      id: refused.id,
      state: 'canceled',
      goal: 'cancel',
      trouble: null,
      nextAt: null,
    }),
  );
}, 60_000);

test('a key that may not do something is no declined card: people are asked to try again, and admins hear of it', async () => {
  const { driver, bookingId } = await asked();
  const { makeRequest } = client;
  const spy = vi.spyOn(client, 'makeRequest').mockImplementation(async (...request) => {
    const answer = await makeRequest.apply(client, request);
    if (!request[2].startsWith('/v1/payment_intents') || request[3] !== 'POST') return answer;
    return Object.assign(Object.create(answer) as typeof answer, {
      getStatusCode: () => 403,
      toJSON: async () => ({
        error: { type: 'invalid_request_error', message: 'This key may not do that.' },
      }),
    });
  });
  const { booking } = await app.ok(driver, accept, { bookingId });
  spy.mockRestore();
  expect(booking).toMatchObject({ awaits: 'payment', payment: { need: null, declineCode: null } });
  await work();
  const { alarms } = await app.ok(admin, listMoney, {});
  expect(alarms).toContainEqual(
    expect.objectContaining({ kind: 'permission', detail: expect.stringContaining('may not') as string }),
  );
}, 60_000);

test('a refund that is refused is tried for days and then waits for an admin, who sees it', async () => {
  const { passenger, requestId, bookingId } = await joined();
  const { pickup } = (await app.ok(passenger, orderDetail, { id: requestId })).order.bookings[0]!;
  app.clock.moveTo(later(new Date(pickup.at), -hourMs));
  await leave(passenger, requestId);
  await work();
  const taken = await authorizationOf(bookingId);
  expect(taken.capturedCents).toBeGreaterThan(0);
  const refused = { outcome: 'refused', code: 'balance_insufficient', message: 'No' } as const;
  const refunds = vi.spyOn(app.platform.payments.provider, 'refund').mockResolvedValue(refused);
  await app.platform.db
    .update(authorizations)
    .set({
      refundGoalCents: taken.capturedCents,
      nextAt: app.clock.now(),
      attempts: 0,
      version: sql`version + 1`,
    })
    .where(eq(authorizations.id, taken.id));
  for (let round = 0; round < 12; round++) {
    await work();
    app.clock.advance(25 * hourMs);
  }
  expect(refunds).toHaveBeenCalledTimes(8);
  // Under the same key the provider would repeat its refusal for a day, whatever has been paid in since.
  expect(new Set(refunds.mock.calls.map(([, key]) => key)).size).toBe(8);
  expect(await authorizationOf(bookingId)).toMatchObject({ trouble: 'balance_insufficient', nextAt: null });
  const { alarms } = await app.ok(admin, listMoney, {});
  expect(alarms.find(({ about }) => about === taken.id)).toMatchObject({
    kind: 'refundRefused',
    times: 8,
    canRetry: true,
  });
  refunds.mockRestore();
}, 120_000);

test('slow answers keep their own places, not those of others; who is there goes first', async () => {
  const { bookingId } = await joined();
  const [{ id: _id, ...kept }] = (await authorizationsOf(bookingId)) as [typeof authorizations.$inferSelect];
  const rows = Array.from({ length: 40 }, (_each, position) => ({
    ...kept,
    id: crypto.randomUUID(),
    isCurrent: false,
    goal: 'cancel' as const,
    state: 'requires_capture' as const,
    authorizedCents: 0,
    paymentId: `pi_${position}`,
    isPresent: position === 39,
    nextAt: later(app.clock.now(), -minuteMs + position),
  }));
  await app.platform.db.insert(authorizations).values(rows);
  const { provider } = app.platform.payments;
  const order: string[] = [];
  let answer: () => void = () => undefined;
  const slowly = new Promise<void>((resolve) => (answer = resolve));
  const letting = vi.spyOn(provider, 'cancel').mockImplementation(async (paymentId) => {
    order.push(paymentId);
    if (['pi_0', 'pi_1', 'pi_2'].includes(paymentId)) await slowly;
    return { outcome: 'unavailable', message: 'busy' };
  });
  const round = workOnPayments(app.platform);
  await expect.poll(() => new Set(order).size, { timeout: 20_000 }).toBe(40);
  expect(order[0]).toBe('pi_39');
  answer();
  await round;
  letting.mockRestore();
  await app.platform.db.delete(authorizations).where(eq(authorizations.isCurrent, false));
}, 60_000);

test('who works on a payment that another worker has in hand waits for what becomes of it', async () => {
  const { driver, bookingId } = await asked();
  const { provider } = app.platform.payments;
  const { authorize } = provider;
  const slow = Promise.withResolvers<void>();
  const asking = vi.spyOn(provider, 'authorize').mockImplementationOnce(async (...asked) => {
    await slow.promise;
    return authorize(...asked);
  });
  const accepted = app.ok(driver, accept, { bookingId });
  await expect.poll(() => asking.mock.calls.length, { timeout: 20_000 }).toBe(1);
  // As the passenger who taps "Confirm with your bank" in that moment: they would read that the provider does
  // not answer.
  const seen = workOnBooking(app.platform, bookingId).then(() => authorizationOf(bookingId));
  await app.platform.db.execute(sql`select pg_sleep(0.2)`);
  slow.resolve();
  expect(await seen).toMatchObject({ state: 'requires_capture' });
  await accepted;
  asking.mockRestore();
});

test('a worker keeps the payment that it has in hand while its ride moves by a minute', async () => {
  const { bookingId, ride } = await joined();
  const now = app.clock.now();
  const lease = (at: Date) =>
    leaseDueAuthorizations(app.platform.db, 'sandbox', {
      now: at,
      leaseEndsAt: later(at, 2 * minuteMs),
      most: 1,
      bookingId,
    });
  const { id } = await authorizationOf(bookingId);
  await app.platform.db.update(authorizations).set({ nextAt: now }).where(eq(authorizations.id, id));
  expect(await lease(now)).toHaveLength(1);
  const departsAt = later(new Date(ride.departsAt), minuteMs);
  await app.platform.transact('test', (tx) => followRide(app.platform, tx, { departsAt }, [bookingId]));
  expect((await authorizationOf(bookingId)).rideAt).toEqual(departsAt);
  expect(await lease(later(now, secondMs))).toEqual([]);
});

test('events are caught up with however many they are, the oldest first; one that fails stays and is tried again', async () => {
  const { bookingId } = await joined();
  await lookForEvents(app.platform);
  const { paymentId } = await authorizationOf(bookingId);
  const { provider } = app.platform.payments;
  await provider.cancel(paymentId!, crypto.randomUUID());
  const reading = vi
    .spyOn(provider, 'payment')
    .mockResolvedValue({ outcome: 'unavailable', message: 'away' });
  await lookForEvents(app.platform);
  const waiting = () =>
    app.platform.db
      .select()
      .from(providerEvents)
      .where(sql`next_at is not null`);
  expect((await waiting()).length).toBeGreaterThan(0);
  expect((await waiting())[0]!.error).toContain('does not answer');
  reading.mockRestore();
  app.clock.advance(hourMs);
  await lookForEvents(app.platform);
  expect(await waiting()).toEqual([]);
  expect((await authorizationOf(bookingId)).paymentId).not.toBeNull();

  // Many more than one page were missed: all are noted, from the cursor on.
  const known = await app.platform.db.$count(providerEvents);
  for (let each = 0; each < 120; each++)
    await provider.createCustomer(
      { email: `${each}@example.com`, name: 'A', metadata: {} },
      crypto.randomUUID(),
    );
  const paging = vi.spyOn(provider, 'events');
  await lookForEvents(app.platform);
  expect((await app.platform.db.$count(providerEvents)) - known).toBeGreaterThanOrEqual(120);
  expect(paging.mock.calls.every(([from]) => from !== null && 'after' in from)).toBe(true);
  const [cursor] = await app.platform.db
    .select()
    .from(providerCursors)
    .where(eq(providerCursors.feed, 'events'));
  expect(cursor!.lastId).not.toBeNull();
  paging.mockRestore();
}, 120_000);

test('an account that was restricted and mended unheard is read again, and its holds are placed', async () => {
  const { driver, bookingId } = await asked();
  const { provider } = app.platform.payments;
  const refused = {
    outcome: 'refused',
    code: 'insufficient_capabilities_for_transfer',
    message: 'No',
  } as const;
  const holding = vi.spyOn(provider, 'authorize').mockResolvedValue(refused);
  const reading = vi.spyOn(provider, 'account');
  await app.ok(driver, accept, { bookingId });
  // Read at once, on the trouble.
  expect(reading).toHaveBeenCalled();
  expect(await authorizationOf(bookingId)).toMatchObject({ state: 'requires_payment_method' });
  const [[, refusedKey]] = holding.mock.calls as [(typeof holding.mock.calls)[number]];
  holding.mockRestore();
  const asking = vi.spyOn(provider, 'authorize');
  reading.mockRestore();
  // No event tells of it: as far as is known here, the account was verified all the time.
  app.clock.advance(11 * minuteMs);
  await lookForEvents(app.platform);
  await app.deliver();
  await work();
  expect(await authorizationOf(bookingId)).toMatchObject({
    state: 'requires_capture',
    authorizedCents: 2000,
  });
  // The refusal would be repeated under its own key.
  expect(asking.mock.calls.map(([, key]) => key)).not.toContain(refusedKey);
  asking.mockRestore();
}, 60_000);

test('admins see what is on cards and not over, each with what comes next and when, and an index gives the page', async () => {
  const { db } = app.platform;
  const listed = async (bookingId: string) => {
    const { holds } = await app.ok(admin, listHolds, { size: 200 });
    return holds.find((hold) => hold.bookingId === bookingId);
  };
  // More than the days before the ride at which a hold is placed.
  const planned = await asked(testNumbers.good, 20 * dayMs);
  await app.ok(planned.driver, accept, { bookingId: planned.bookingId });
  const { nextAt } = await authorizationOf(planned.bookingId);
  expect(await listed(planned.bookingId)).toMatchObject({
    amountCents: 2000,
    authorizedCents: 0,
    next: 'place',
    nextAt: nextAt!.toISOString(),
    passenger: { id: planned.passenger.id },
    driver: { id: planned.driver.id },
  });
  const placed = await joined();
  const { captureBefore, rideAt } = await authorizationOf(placed.bookingId);
  const hold = await listed(placed.bookingId);
  const endsAt = captureBefore!.toISOString();
  expect(hold).toMatchObject({
    state: 'requires_capture',
    authorizedCents: 2000,
    next: 'renew',
    nextAt: endsAt,
    endsAt,
  });
  expect(hold).toMatchObject({ rideAt: rideAt.toISOString(), owedCents: 0, trouble: null, need: null });
  const { rows } = await db.execute<{ list: string }>(
    sql`select list from admin_readings where admin_id = ${admin.id} and list = 'holds'`,
  );
  expect(rows).toHaveLength(1);
  await leave(placed.passenger, placed.requestId);
  expect(await listed(placed.bookingId)).toMatchObject({ next: 'release', owedCents: 0 });
  await work();
  expect(await listed(placed.bookingId)).toBeUndefined();

  // Less than a day before: half of it is owed at once.
  const late = await asked(testNumbers.good, 12 * hourMs);
  await app.ok(late.driver, accept, { bookingId: late.bookingId });
  await leave(late.passenger, late.requestId);
  const { captureCents, nextAt: capturedAt } = await authorizationOf(late.bookingId);
  expect(captureCents).toBeGreaterThan(0);
  expect(await listed(late.bookingId)).toMatchObject({
    kind: 'cancellation',
    next: 'capture',
    nextAt: capturedAt!.toISOString(),
    owedCents: captureCents,
  });

  const { holds, total } = await app.ok(admin, listHolds, { size: 1 });
  expect(holds).toHaveLength(1);
  expect(total).toBeGreaterThanOrEqual(2);
  const plan = await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    return tx.execute<Record<string, string>>(sql`
      explain select * from authorizations where (state not in ('succeeded', 'canceled') or next_at is not null)
      order by next_at, id limit 30`);
  });
  const text = plan.rows.flatMap((row) => Object.values(row)).join('\n');
  expect(text).toContain('using authorizations_open');
  expect(text).not.toContain('Sort');
}, 60_000);

test('a hold that is planned on a removed card is planned on one that is good on the ride’s day', async () => {
  const { driver, passenger, bookingId } = await asked(testNumbers.good, 40 * dayMs);
  const ends = await addCard(app, passenger);
  const good = await addCard(app, passenger);
  const now = app.clock.now();
  // It is good today, and no longer in the month of the ride.
  const card = { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() };
  await app.platform.db.execute(sql`update sandbox_objects
    set body = jsonb_set(body, '{card}', body -> 'card' || ${JSON.stringify(card)}::jsonb)
    where id = ${ends.id}`);
  await app.ok(passenger, setDefaultMethod, { id: ends.id });
  await app.ok(driver, accept, { bookingId });
  const planned = (await authorizationOf(bookingId)).cardId!;
  const { methods } = await app.ok(passenger, paymentMethods, {});
  const first = methods.find(({ id }) => id !== ends.id && id !== good.id)!;
  for (const id of [first.id, good.id].filter((each) => each !== planned))
    await app.ok(passenger, deleteMethod, { id });
  const { id: last } = await addCard(app, passenger);
  await app.ok(passenger, setDefaultMethod, { id: ends.id });
  await app.ok(passenger, deleteMethod, { id: planned });
  expect((await authorizationOf(bookingId)).cardId).toBe(last);
  expect(await app.call(passenger, deleteMethod, { id: last })).toMatchObject({
    code: 409,
    reason: 'payment.methodNeeded',
  });
});
