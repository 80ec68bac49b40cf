import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { later, minuteMs } from '../../../platform/clock.ts';
import { providerCursors } from '../../../schema/payments.ts';
import { payIn } from '../../../testing/money.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('while a process that was killed still has the lines of the balance, nothing is compared; then all is', async () => {
  const { payments } = app.features;
  await payments.lookForEvents();
  const atRest = (await payments.ledgerEqualsProvider())!;
  expect(atRest.ledgerCents).toBe(atRest.providerCents);

  // It was killed in the middle of a page.
  const leaseEndsAt = later(app.clock.now(), 4 * minuteMs);
  const own = and(eq(providerCursors.provider, payments.provider.kind), eq(providerCursors.feed, 'balance'));
  await app.platform.db.update(providerCursors).set({ leaseEndsAt }).where(own);
  await payIn(app, 5000);
  expect(await payments.ledgerEqualsProvider()).toBeNull();
  expect((await payments.reconcile(new Date(0))).differences).toEqual([]);

  app.clock.advance(5 * minuteMs);
  const booked = (await payments.ledgerEqualsProvider())!;
  expect(booked.providerCents).toBe(atRest.providerCents + 5000);
  expect(booked.ledgerCents).toBe(booked.providerCents);
});
