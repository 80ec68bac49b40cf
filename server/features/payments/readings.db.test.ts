import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accept, askToJoin } from '#contract/rides/endpoints.ts';
import type { App } from '../../app-type.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import {
  authorizations,
  chargebacks,
  fraudWarnings,
  paymentAccounts,
  paymentAlarms,
  providerEvents,
} from '../../schema/payments.ts';
import { fickleClient } from '../../testing/fickle-client.ts';
import { addCard, onboard } from '../../testing/money.ts';
import { addVehicle, publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { readAccountOfDriver } from './accounts/driver-account.ts';
import type { AuthorizationRow } from './authorizations/store.ts';
import { moveDueTransfers } from './chargebacks/move-transfer.ts';
import { readChargeback, readWarning, readWithoutPayment } from './chargebacks/record-chargeback.ts';
import type { CardProvider } from './provider/card-provider.ts';
import type { ProviderChargeback } from './provider/chargeback-calls.ts';
import { done, type Outcome } from './provider/outcomes.ts';
import { standingOf } from './queries.ts';
import { lookForEvents } from './work-due.ts';

const { client, trouble } = fickleClient();
let app: TestApp;
let driver: TestPerson;
/** The payment of a booking, to which the bank objects. */
let paid: AuthorizationRow;

beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example' }, cardClient: client });
  driver = await app.person('Driver');
  await onboard(app, driver);
  const vehicleId = await addVehicle(app, driver);
  const departsAt = later(app.clock.now(), 30 * hourMs);
  const at = departsAt.toISOString();
  const ride = await publishRide(app, driver, { vehicleId, costCents: 2000, departsAt: at });
  const passenger = await app.person('Passenger');
  await addCard(app, passenger);
  const request = await publishRequest(app, passenger, {
    earliestAt: later(departsAt, -hourMs).toISOString(),
    latestAt: later(departsAt, hourMs).toISOString(),
  });
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const bookingId = order.bookings[0]!.id;
  await app.ok(driver, accept, { bookingId });
  [paid] = (await app.platform.db
    .select()
    .from(authorizations)
    .where(eq(authorizations.bookingId, bookingId))) as [AuthorizationRow];
});
afterAll(() => app.close());

/** Readings in the order in which the provider takes them; each is answered when the test says so. */
function slowReadings<T>() {
  const asked: ((value: T) => void)[] = [];
  const read = () =>
    new Promise<Outcome<T>>((resolve) => {
      asked.push((value) => resolve(done(value)));
    });
  return { asked, read };
}

const objection = (id: string, more: Partial<ProviderChargeback> = {}): ProviderChargeback => ({
  id,
  paymentId: paid.paymentId,
  amountCents: 2000,
  reason: 'fraudulent',
  state: 'needs_response',
  evidenceDueAt: null,
  hasEvidence: false,
  feeCents: 1500,
  withdrawnCents: 2000,
  openedAt: app.clock.now(),
  ...more,
});

/** The app with a provider that says what the test wants, and moves transfers at once. */
function appWith(scripted: Partial<CardProvider>): App {
  const provider: CardProvider = Object.assign(Object.create(app.platform.payments.provider), {
    reverseTransfer: ({ atMostCents }: { atMostCents: number }) =>
      Promise.resolve(done({ reversedCents: atMostCents, feeBackCents: 288 })),
    repeatTransfer: () => Promise.resolve(done('tr_again')),
    ...scripted,
  });
  const { payments, ports } = app.platform;
  const records = {
    movesOf: () => Promise.resolve([]),
    writtenInRide: () => Promise.resolve(null),
  } as never;
  return { ...app.platform, payments: { ...payments, provider }, ports: { ...ports, payments: records } };
}

const chargebackOf = async (id: string) =>
  (await app.platform.db.select().from(chargebacks).where(eq(chargebacks.id, id)))[0]!;
const paidNow = async () =>
  (await app.platform.db.select().from(authorizations).where(eq(authorizations.id, paid.id)))[0]!;

test('a chargeback is read before and after the bank takes the money: whichever is written last, the driver’s part is taken back', async () => {
  const { asked, read } = slowReadings<ProviderChargeback>();
  const scripted = appWith({ chargeback: read });
  const before = readChargeback(scripted, 'dp_taken');
  await expect.poll(() => asked.length).toBe(1);
  const after = readChargeback(scripted, 'dp_taken');
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!(objection('dp_taken'));
  await after;
  asked[0]!(objection('dp_taken', { feeCents: 0, withdrawnCents: 0 }));
  // A read that was overtaken is repeated.
  await expect.poll(() => asked.length).toBe(3);
  asked[2]!(objection('dp_taken'));
  await before;
  app.clock.advance(minuteMs);
  await moveDueTransfers(scripted);
  expect(await chargebackOf('dp_taken')).toMatchObject({
    withdrawnCents: 2000,
    transfer: 'takenBack',
    reversedCents: 2000,
  });
  expect((await paidNow()).chargedBackCents).toBe(2000 - 288);
  await app.platform.db.delete(chargebacks);
});

test('a chargeback that is won, and the driver paid again, is not opened again by a reading from before', async () => {
  let now = objection('dp_won');
  const { asked, read } = slowReadings<ProviderChargeback>();
  let isSlow = false;
  const scripted = appWith({ chargeback: () => (isSlow ? read() : Promise.resolve(done(now))) });
  await readChargeback(scripted, 'dp_won');
  app.clock.advance(minuteMs);
  await moveDueTransfers(scripted);
  const open = now;
  isSlow = true;
  const late = readChargeback(scripted, 'dp_won');
  await expect.poll(() => asked.length).toBe(1);
  isSlow = false;
  now = objection('dp_won', { state: 'won', feeCents: 0, withdrawnCents: 0 });
  await readChargeback(scripted, 'dp_won');
  app.clock.advance(minuteMs);
  await moveDueTransfers(scripted);
  asked[0]!(open);
  await late;
  app.clock.advance(minuteMs);
  await moveDueTransfers(scripted);
  const row = await chargebackOf('dp_won');
  expect(row).toMatchObject({ state: 'won', withdrawnCents: 0, transfer: 'sentAgain' });
  expect(row.closedAt).not.toBeNull();
  expect(await paidNow()).toMatchObject({ chargedBackCents: 0, isChargedBack: false });
  await app.platform.db.delete(chargebacks);
});

test('a fraud warning that is over is not made actionable again by a reading from before', async () => {
  const warning = (isActionable: boolean) => ({
    id: 'issfr_late',
    paymentId: paid.paymentId,
    fraudType: 'made_with_stolen_card',
    isActionable,
    at: app.clock.now(),
  });
  const { asked, read } = slowReadings<ReturnType<typeof warning>>();
  const scripted = appWith({ fraudWarning: read });
  const before = readWarning(scripted, 'issfr_late');
  await expect.poll(() => asked.length).toBe(1);
  const after = readWarning(scripted, 'issfr_late');
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!(warning(false));
  await after;
  asked[0]!(warning(true));
  await expect.poll(() => asked.length).toBe(3);
  asked[2]!(warning(false));
  await before;
  const [row] = await app.platform.db.select().from(fraudWarnings);
  expect(row).toMatchObject({ isActionable: false });
  await app.platform.db.delete(fraudWarnings);
});

test('an account that is repaired is not restricted again by a reading from before', async () => {
  const account = (state: 'verified' | 'restricted') => ({ id: '', state, missing: [], metadata: {} });
  const { asked, read } = slowReadings<ReturnType<typeof account>>();
  const scripted = appWith({ account: read });
  const before = readAccountOfDriver(scripted, driver.id);
  await expect.poll(() => asked.length).toBe(1);
  const after = readAccountOfDriver(scripted, driver.id);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!(account('verified'));
  await after;
  asked[0]!(account('restricted'));
  await expect.poll(() => asked.length).toBe(3);
  asked[2]!(account('verified'));
  await before;
  const [row] = await app.platform.db
    .select()
    .from(paymentAccounts)
    .where(eq(paymentAccounts.userId, driver.id));
  expect(row).toMatchObject({ state: 'verified' });
});

test('a chargeback and a warning that were known before their payment get it once it is known', async () => {
  const { db } = app.platform;
  const scripted = appWith({
    chargeback: () => Promise.resolve(done(objection('dp_first'))),
    fraudWarning: () =>
      Promise.resolve(
        done({
          id: 'issfr_first',
          paymentId: paid.paymentId,
          fraudType: 'misc',
          isActionable: true,
          at: app.clock.now(),
        }),
      ),
  });
  const known = (paymentId: string | null) =>
    db.update(authorizations).set({ paymentId }).where(eq(authorizations.id, paid.id));
  await known(null);
  await readChargeback(scripted, 'dp_first');
  await readWarning(scripted, 'issfr_first');
  await readWithoutPayment(scripted);
  expect(await chargebackOf('dp_first')).toMatchObject({ authorizationId: null, transfer: 'none' });
  await known(paid.paymentId);
  await readWithoutPayment(scripted);
  app.clock.advance(minuteMs);
  await moveDueTransfers(scripted);
  const row = await chargebackOf('dp_first');
  expect(row).toMatchObject({ authorizationId: paid.id, transfer: 'takenBack', reversedCents: 2000 });
  expect(row.evidence).not.toBeNull();
  expect((await db.select().from(fraudWarnings))[0]).toMatchObject({ authorizationId: paid.id });
  const standing = await app.platform.transact('test', (tx) => standingOf(tx, paid.passengerId));
  expect(standing).toMatchObject({ isBlocked: true });
  await db.delete(chargebacks);
  await db.delete(fraudWarnings);
});

test('news of an account or of a saved card that could not be read comes again', async () => {
  const { db, log } = app.platform;
  const error = vi.spyOn(log, 'error');
  const [account] = await db.select().from(paymentAccounts).where(eq(paymentAccounts.userId, driver.id));
  const news = [
    { id: 'evt_account', type: 'account.updated', kind: 'account', thingId: account!.accountId },
    { id: 'evt_setup', type: 'setup_intent.succeeded', kind: 'setup_intent', thingId: 'seti_unknown' },
  ];
  const at = app.clock.now();
  await db.insert(providerEvents).values(news.map((each) => ({ ...each, at, receivedAt: at, nextAt: at })));
  const stored = () =>
    db
      .select()
      .from(providerEvents)
      .where(
        inArray(
          providerEvents.id,
          news.map(({ id }) => id),
        ),
      )
      .orderBy(sql`id`);
  trouble.is = 'away';
  await lookForEvents(app.platform).catch(() => undefined);
  trouble.is = 'none';
  for (const event of await stored()) {
    expect(event.nextAt).not.toBeNull();
    expect(event.error).toContain('does not answer');
  }
  app.clock.advance(hourMs);
  await lookForEvents(app.platform);
  // The provider knows no such setup: there is nothing to come again for.
  for (const event of await stored()) expect(event).toMatchObject({ nextAt: null, error: '' });
  error.mockRestore();
});

test('a chargeback that is won after its driver has deleted their account raises an alarm', async () => {
  const { db } = app.platform;
  let now = objection('dp_gone');
  const scripted = appWith({ chargeback: () => Promise.resolve(done(now)) });
  await readChargeback(scripted, 'dp_gone');
  app.clock.advance(minuteMs);
  await moveDueTransfers(scripted);
  const gone = await db.delete(paymentAccounts).where(eq(paymentAccounts.userId, driver.id)).returning();
  now = objection('dp_gone', { state: 'won', feeCents: 0, withdrawnCents: 0 });
  await readChargeback(scripted, 'dp_gone');
  app.clock.advance(minuteMs);
  await moveDueTransfers(scripted);
  expect(await chargebackOf('dp_gone')).toMatchObject({
    transfer: 'toSendAgain',
    trouble: 'account_missing',
    nextAt: null,
  });
  const alarms = await db.select().from(paymentAlarms).where(eq(paymentAlarms.about, 'dp_gone'));
  const alarm = alarms.find(({ kind }) => kind === 'transferRefused');
  expect(alarm).toMatchObject({ endedAt: null });
  expect(alarm?.detail).toContain('account_missing');
  await db.insert(paymentAccounts).values(gone);
});
