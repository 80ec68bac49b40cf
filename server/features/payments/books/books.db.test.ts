import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAlarm, listMoney } from '#contract/payments/endpoints.ts';
import { dayMs, later, minuteMs } from '../../../platform/clock.ts';
import { paymentAlarms, providerCursors } from '../../../schema/payments.ts';
import { payIn } from '../../../testing/money.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { lookForEvents } from '../work-due.ts';
import { compareBooks } from './compare-books.ts';
import { writeLedger } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('while a process that was killed still has the lines of the balance, nothing is compared; then all is', async () => {
  await lookForEvents(app.platform);
  const atRest = (await compareBooks(app.platform))!;
  expect(atRest.ledgerCents).toBe(atRest.providerCents);

  // It was killed in the middle of a page.
  const leaseEndsAt = later(app.clock.now(), 4 * minuteMs);
  const own = and(
    eq(providerCursors.provider, app.platform.payments.provider.kind),
    eq(providerCursors.feed, 'balance'),
  );
  await app.platform.db.update(providerCursors).set({ leaseEndsAt }).where(own);
  await payIn(app, 5000);
  expect(await compareBooks(app.platform)).toBeNull();
  expect((await reconcile(app.platform, new Date(0))).differences).toEqual([]);

  app.clock.advance(5 * minuteMs);
  const booked = (await compareBooks(app.platform))!;
  expect(booked.providerCents).toBe(atRest.providerCents + 5000);
  expect(booked.ledgerCents).toBe(booked.providerCents);
});

test('a sum that stays open for longer than the provider’s booking takes raises one alarm', async () => {
  const { db } = app.platform;
  const enter = (cents: number) => {
    const line = {
      entryId: crypto.randomUUID(),
      authorizationId: null,
      what: 'charged back',
      at: app.clock.now(),
    } as const;
    return writeLedger(db, 'sandbox', [
      { ...line, account: 'disputes', cents },
      { ...line, account: 'losses', cents: -cents },
    ]);
  };
  const alarms = () => db.select().from(paymentAlarms).where(eq(paymentAlarms.kind, 'openSum'));
  await enter(-2000);
  await reconcile(app.platform);
  app.clock.advance(3 * dayMs);
  await reconcile(app.platform);
  expect(await alarms()).toEqual([]);
  app.clock.advance(dayMs);
  await reconcile(app.platform);
  const [alarm] = await alarms();
  expect(alarm).toMatchObject({ about: 'disputes', endedAt: null });
  expect(alarm?.detail).toContain('-$20.00');
  const admin = await app.person('Admin', { isAdmin: true });
  expect((await app.ok(admin, listMoney, {})).books).toMatchObject({
    openCents: { cards: 0, drivers: 0, disputes: -2000 },
  });
  // An alarm that an admin has ended is not raised again.
  await app.ok(admin, endAlarm, { id: alarm!.id });
  app.clock.advance(dayMs);
  await reconcile(app.platform);
  expect((await alarms()).filter(({ endedAt }) => endedAt === null)).toEqual([]);
  await enter(2000);
  await reconcile(app.platform);
  expect(await alarms()).toHaveLength(1);

  // An alarm that no admin has dealt with ends by itself.
  await enter(-700);
  await reconcile(app.platform);
  app.clock.advance(4 * dayMs);
  await reconcile(app.platform);
  expect((await alarms()).filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
  await enter(700);
  await reconcile(app.platform);
  expect((await alarms()).filter(({ endedAt }) => endedAt === null)).toEqual([]);
});
