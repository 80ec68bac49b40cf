import os from 'node:os';
import { eq, sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { paymentMethods, receipts, setupIntent } from '#contract/payments/endpoints.ts';
import { accept, askToJoin, orderDetail } from '#contract/rides/endpoints.ts';
import type { Request } from '#contract/rides/views.ts';
import { buildApp, type BuiltApp } from '../../../app.ts';
import { dayMs, hourMs, later } from '../../../platform/clock.ts';
import { readEnv } from '../../../platform/env.ts';
import { authorizations, ledgerLines } from '../../../schema/payments.ts';
import { addCard, answerPage, onboard } from '../../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { loadRegion } from '../../geo/region.ts';
import { listCards } from '../cards/manage-cards.ts';
import { workOnPayments } from '../work-due.ts';
import { workOnBooking } from './worker.ts';

/** Lets a test hold back the answer to a read of cards. */
const inner = Stripe.createNodeHttpClient();
const client = Object.create(inner) as Stripe.HttpClient;
let heldBack: Promise<void> | null = null;
let reads = 0;
client.makeRequest = async (...request) => {
  const answer = await inner.makeRequest(...request);
  const [, , path, method] = request;
  if (method === 'GET' && path.includes('payment_methods')) {
    reads += 1;
    const wait = heldBack;
    heldBack = null;
    if (wait !== null) await wait;
  }
  return answer;
};

let app: TestApp;
const opened: BuiltApp[] = [];
beforeAll(async () => {
  app = await openTestApp({ cardClient: client });
});
afterAll(async () => {
  for (const each of opened) await each.http.close();
  await app.close();
});

async function joined(amountCents: number, daysAhead = 1) {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  await onboard(app, driver);
  const departsAt = later(app.clock.now(), daysAhead * dayMs);
  const ride = await publishRide(app, driver, {
    vehicleId: await addVehicle(app, driver),
    costCents: amountCents,
    departsAt: departsAt.toISOString(),
  });
  await addCard(app, passenger);
  const { id: requestId } = await publishRequest(app, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  return { driver, passenger, requestId, bookingId };
}

const authorizationsOf = (bookingId: string) =>
  app.platform.db
    .select()
    .from(authorizations)
    .where(eq(authorizations.bookingId, bookingId))
    .orderBy(authorizations.createdAt);
const bookingOf = async (who: TestPerson, requestId: string) =>
  ((await app.ok(who, orderDetail, { id: requestId })).order as Request).bookings.at(-1)!;

test('a read of cards that was overtaken by a newer one changes nothing', async () => {
  const mia = await app.person('Mia');
  const { pageUrl } = await app.ok(mia, setupIntent, {});
  let answer = () => {};
  heldBack = new Promise((resolve) => (answer = resolve));
  const before = reads;
  // It has read that there is no card, and its answer is slow.
  const slow = app.call(mia, paymentMethods, {});
  await vi.waitFor(() => expect(reads).toBe(before + 1), { timeout: 29_000 });
  await answerPage(app, pageUrl!, { number: '4242424242424242', expiry: '12/34', cvc: '123' });
  expect((await app.ok(mia, paymentMethods, {})).methods).toHaveLength(1);
  answer();
  expect((await slow).data?.methods).toHaveLength(1);
  expect(await listCards(app.platform, mia.id)).toMatchObject({ methods: [{ last4: '4242' }] });
});

/** The app once more, on the same database, with the keys of Stripe; what it asks Stripe for is counted. */
async function startWithKeys(asked: { count: number }) {
  const silent = Object.create(inner) as Stripe.HttpClient;
  silent.makeRequest = async () => {
    asked.count += 1;
    throw new Error('Nothing may be asked.');
  };
  const withKeys = await buildApp({
    ...app.platform,
    env: readEnv({
      NODE_ENV: 'test',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }),
    pool: app.serverPool,
    // No car drives anywhere in it.
    region: await loadRegion({ env: { REGION: '', DATA_DIR: os.tmpdir() } }),
    withRealtime: false,
    cardClient: silent,
  });
  opened.push(withKeys);
  return withKeys;
}

test('with the keys of Stripe, what is left of test money ends, and its passenger is told that a card is missing', async () => {
  const [coming, paid, canceled] = [await joined(20_00), await joined(15_00), await joined(12_00)];
  for (const { bookingId } of [coming, paid, canceled])
    expect((await authorizationsOf(bookingId))[0]).toMatchObject({
      provider: 'sandbox',
      state: 'requires_capture',
    });
  // One was taken and is to go back, one is let go: neither has been done when the keys come.
  const [taken] = await authorizationsOf(paid.bookingId);
  await app.platform.db
    .update(authorizations)
    .set({ goal: 'capture', captureCents: 15_00, nextAt: app.clock.now() })
    .where(eq(authorizations.id, taken!.id));
  await workOnBooking(app.platform, paid.bookingId);
  expect((await authorizationsOf(paid.bookingId))[0]).toMatchObject({
    state: 'succeeded',
    capturedCents: 15_00,
  });
  await app.platform.db
    .update(authorizations)
    .set({ refundGoalCents: 5_00, nextAt: app.clock.now() })
    .where(eq(authorizations.id, taken!.id));
  const [open] = await authorizationsOf(canceled.bookingId);
  await app.platform.db
    .update(authorizations)
    .set({ goal: 'cancel', nextAt: app.clock.now() })
    .where(eq(authorizations.id, open!.id));

  const asked = { count: 0 };
  const withKeys = await startWithKeys(asked);
  for (let times = 0; times < 3; times++) {
    app.clock.advance(hourMs);
    await workOnPayments(withKeys.platform);
  }
  // No key of another provider is asked about what lies with the first.
  expect(asked.count).toBe(0);

  const [old, fresh] = await authorizationsOf(coming.bookingId);
  expect(old).toMatchObject({ isCurrent: false, state: 'canceled', authorizedCents: 0, nextAt: null });
  expect(fresh).toMatchObject({
    provider: 'stripe',
    isCurrent: true,
    goal: 'authorize',
    amountCents: 20_00,
    state: 'requires_payment_method',
    cardId: null,
    nextAt: null,
  });
  expect((await bookingOf(coming.passenger, coming.requestId)).payment).toMatchObject({
    state: 'requires_payment_method',
    need: 'card',
  });
  expect(await authorizationsOf(paid.bookingId)).toMatchObject([
    { state: 'succeeded', capturedCents: 15_00, refundedCents: 5_00, nextAt: null },
  ]);
  expect((await app.ok(paid.passenger, receipts, {})).receipts).toMatchObject([{ refundedCents: 5_00 }]);
  expect(await authorizationsOf(canceled.bookingId)).toMatchObject([
    { state: 'canceled', authorizedCents: 0, nextAt: null },
  ]);
  const [sum] = await app.platform.db
    .select({ cents: sql<string>`coalesce(sum(${ledgerLines.cents}), 0)` })
    .from(ledgerLines);
  expect(Number(sum!.cents)).toBe(0);
});
