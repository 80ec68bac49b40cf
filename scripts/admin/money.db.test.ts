import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { authorizations } from '../../server/schema/payments.ts';
import { openAccessFixture, type AccessFixture } from '../../server/testing/access-fixture.ts';
import { disputeOf } from '../../server/testing/access-records.ts';
import { openTestApp, type TestApp } from '../../server/testing/test-app.ts';
import { commandLine } from './run-cli.ts';

let app: TestApp;
let fixture: AccessFixture;
beforeAll(async () => {
  app = await openTestApp();
  fixture = await openAccessFixture(app, 'joined');
});
afterAll(() => app.close());

test('card holds are listed with their next step; a dispute is listed and decided, once and within what is owed', async () => {
  const { run, told } = commandLine(app.pool);
  const { passenger, driver } = fixture.people;
  const disputeId = await disputeOf(fixture);
  expect(await told('holds')).toMatchObject({
    holds: [
      {
        bookingId: fixture.bookingId,
        amountCents: 900,
        owedCents: 900,
        next: 'capture',
        passenger: passenger.email,
        driver: driver.email,
      },
    ],
    total: 1,
  });
  expect((await run('holds')).said).toContain('next: capture');
  expect(await told('disputes', '--state', 'open')).toMatchObject({
    disputes: [{ id: disputeId, state: 'open', passenger: passenger.email, owedCents: 900 }],
    total: 1,
  });
  const resolve = (cents: string) =>
    run('disputes', 'resolve', disputeId, '--refund-cents', cents, '--decision', 'Half.');
  expect(await resolve('901')).toMatchObject({
    status: 1,
    complained: 'The maximum transaction amount allowed is $9.',
  });
  const both = await Promise.all([resolve('400'), resolve('400')]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([0, 1]);
  expect(both.map(({ complained }) => complained)).toContain(
    'This dispute just changed. Please check again.',
  );
  const [row] = await app.platform.db
    .select()
    .from(authorizations)
    .where(eq(authorizations.bookingId, fixture.bookingId));
  expect(row).toMatchObject({ goal: 'capture', captureCents: 500 });
  expect(await told('disputes')).toMatchObject({
    disputes: [{ state: 'resolved', refundCents: 400, decision: 'Half.' }],
  });
  const { entries } = (await told('log', '--size', '1')) as { entries: object[] };
  expect(entries).toMatchObject([
    { action: 'dispute.resolved', admin: null, person: passenger.email, note: 'Half.' },
  ]);
}, 60_000);
