import os from 'node:os';
import { eq, sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { paymentMethods, receipts, setupIntent } from '#contract/payments/endpoints.ts';
import { accept, askToJoin, orderDetail } from '#contract/rides/endpoints.ts';
import type { Request } from '#contract/rides/views.ts';
import { buildHouse, type House } from '../../app.ts';
import { dayMs, hourMs, later } from '../../platform/clock.ts';
import { readEnv } from '../../platform/env.ts';
import { loadRegion } from '../geo/region.ts';
import { cardHolds, ledgerLines } from '../../schema/payments.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../testing/house.ts';
import { addCard, answerPage, onboard } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';

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

let house: TestHouse;
const opened: House[] = [];
beforeAll(async () => {
  house = await openTestHouse({ cardClient: client });
});
afterAll(async () => {
  for (const each of opened) await each.app.close();
  await house.close();
});

async function joined(amountCents: number, daysAhead = 1) {
  const [driver, passenger] = [await house.person('Driver'), await house.person('Passenger')];
  await onboard(house, driver);
  const departsAt = later(house.clock.now(), daysAhead * dayMs);
  const ride = await publishRide(house, driver, {
    vehicleId: await addVehicle(house, driver),
    costCents: amountCents,
    departsAt: departsAt.toISOString(),
  });
  await addCard(house, passenger);
  const { id: requestId } = await publishRequest(house, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const { order } = await house.ok(passenger, askToJoin, { rideId: ride.id, requestId });
  const bookingId = order.bookings[0]!.id;
  await house.ok(driver, accept, { bookingId });
  return { driver, passenger, requestId, bookingId };
}

const holdsOf = (bookingId: string) =>
  house.platform.db
    .select()
    .from(cardHolds)
    .where(eq(cardHolds.bookingId, bookingId))
    .orderBy(cardHolds.createdAt);
const bookingOf = async (who: TestPerson, requestId: string) =>
  ((await house.ok(who, orderDetail, { id: requestId })).order as Request).bookings.at(-1)!;

test('a read of cards that was overtaken by a newer one changes nothing', async () => {
  const mia = await house.person('Mia');
  const { pageUrl } = await house.ok(mia, setupIntent, {});
  let answer = () => {};
  heldBack = new Promise((resolve) => (answer = resolve));
  const before = reads;
  // It has read that there is no card, and its answer is slow.
  const slow = house.call(mia, paymentMethods, {});
  await vi.waitFor(() => expect(reads).toBe(before + 1), { timeout: 29_000 });
  await answerPage(house, pageUrl!, { number: '4242424242424242', expiry: '12/34', cvc: '123' });
  expect((await house.ok(mia, paymentMethods, {})).methods).toHaveLength(1);
  answer();
  expect((await slow).data?.methods).toHaveLength(1);
  expect(await house.features.payments.cards(mia.id)).toMatchObject({ methods: [{ last4: '4242' }] });
});

test('with the keys of Stripe, what is left of test money ends, and its passenger is told that a card is missing', async () => {
  const [coming, paid, cancelled] = [await joined(20_00), await joined(15_00), await joined(12_00)];
  for (const { bookingId } of [coming, paid, cancelled])
    expect((await holdsOf(bookingId))[0]).toMatchObject({ provider: 'sandbox', state: 'requires_capture' });
  // One was taken and is to go back, one is let go: neither has been done when the keys come.
  const [taken] = await holdsOf(paid.bookingId);
  await house.platform.db
    .update(cardHolds)
    .set({ goal: 'take', takeCents: 15_00, nextAt: house.clock.now() })
    .where(eq(cardHolds.id, taken!.id));
  await house.features.payments.workOn(paid.bookingId);
  expect((await holdsOf(paid.bookingId))[0]).toMatchObject({ state: 'succeeded', takenCents: 15_00 });
  await house.platform.db
    .update(cardHolds)
    .set({ refundGoalCents: 5_00, nextAt: house.clock.now() })
    .where(eq(cardHolds.id, taken!.id));
  const [open] = await holdsOf(cancelled.bookingId);
  await house.platform.db
    .update(cardHolds)
    .set({ goal: 'release', nextAt: house.clock.now() })
    .where(eq(cardHolds.id, open!.id));

  let asked = 0;
  const silent = Object.create(inner) as Stripe.HttpClient;
  silent.makeRequest = async () => {
    asked += 1;
    throw new Error('Nothing may be asked.');
  };
  const withKeys = await buildHouse({
    ...house.platform,
    env: readEnv({
      NODE_ENV: 'test',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }),
    pool: house.serverPool,
    // No car drives anywhere in it.
    region: await loadRegion({ env: { REGION: '', DATA_DIR: os.tmpdir() } }),
    withLive: false,
    cardClient: silent,
  });
  opened.push(withKeys);
  for (let times = 0; times < 3; times++) {
    house.clock.advance(hourMs);
    await withKeys.features.payments.work();
  }
  // No key of another provider is asked about what lies with the first.
  expect(asked).toBe(0);

  const [old, fresh] = await holdsOf(coming.bookingId);
  expect(old).toMatchObject({ isCurrent: false, state: 'canceled', heldCents: 0, nextAt: null });
  expect(fresh).toMatchObject({
    provider: 'stripe',
    isCurrent: true,
    goal: 'hold',
    amountCents: 20_00,
    state: 'requires_payment_method',
    cardId: null,
    nextAt: null,
  });
  expect((await bookingOf(coming.passenger, coming.requestId)).payment).toMatchObject({
    state: 'requires_payment_method',
    need: 'card',
  });
  expect(await holdsOf(paid.bookingId)).toMatchObject([
    { state: 'succeeded', takenCents: 15_00, refundedCents: 5_00, nextAt: null },
  ]);
  expect((await house.ok(paid.passenger, receipts, {})).receipts).toMatchObject([{ refundedCents: 5_00 }]);
  expect(await holdsOf(cancelled.bookingId)).toMatchObject([
    { state: 'canceled', heldCents: 0, nextAt: null },
  ]);
  const [sum] = await house.platform.db
    .select({ cents: sql<string>`coalesce(sum(${ledgerLines.cents}), 0)` })
    .from(ledgerLines);
  expect(Number(sum!.cents)).toBe(0);
});
