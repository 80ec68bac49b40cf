import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { statistics, type StatisticsRow } from '#contract/admin/endpoints.ts';
import { co2GramsPerMetre } from '#contract/co2.ts';
import type { App } from '../../../app-type.ts';
import { hourMs, minuteMs } from '../../../platform/clock.ts';
import { users } from '../../../schema/identity.ts';
import { ledgerLines } from '../../../schema/payments.ts';
import { bookings, moveHistory, requests, rides } from '../../../schema/rides.ts';
import { dailyFigures, figuresCounted } from '../../../schema/moderation.ts';
import { licenses } from '../../../schema/vehicles.ts';
import { askedBooking, openRequest, openRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { addUp, readStatistics } from './read-statistics.ts';

// A Wednesday, 10:00 in California; the clocks were turned back on 1 November.
const now = new Date('2026-11-18T18:00:00Z');
let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ startsAt: now });
  admin = await app.person('Ada', { isAdmin: true });
});
afterAll(() => app.close());

/** Inserts one booking in its final state, with its own ride and request, created at the same time. */
async function booking(
  driver: TestPerson,
  passenger: TestPerson,
  things: {
    createdAt: string;
    joinedAt?: string;
    endedAt?: string;
    state: 'requesting' | 'finished' | 'cancel' | 'missed' | 'rejected' | 'joined';
    fault?: 'driver' | 'passenger';
    metres?: number;
  },
): Promise<void> {
  const createdAt = new Date(things.createdAt);
  const departsAt = new Date(createdAt.getTime() + 86_400_000);
  const ride = { ...openRide({ driverId: driver.id, departsAt }), createdAt };
  const request = {
    ...openRequest({ passengerId: passenger.id, earliestAt: departsAt }),
    createdAt,
    driveMetres: things.metres ?? 5000,
  };
  await app.platform.db.insert(rides).values({ ...ride, state: 'finished' });
  await app.platform.db.insert(requests).values({ ...request, state: 'finished' });
  const id = crypto.randomUUID();
  await noteMoves({ ride: ride.id, request: request.id, booking: id }, things);
  await app.platform.db.insert(bookings).values({
    ...askedBooking({ ride, request, at: departsAt }),
    id,
    state: things.state,
    createdAt,
    joinedAt: things.joinedAt === undefined ? null : new Date(things.joinedAt),
    endedAt: things.endedAt === undefined ? null : new Date(things.endedAt),
    fault: things.fault ?? null,
  });
}

/** The history leads to what has moved. */
async function noteMoves(
  ids: { ride: string; request: string; booking: string },
  { createdAt, joinedAt, endedAt }: { createdAt: string; joinedAt?: string; endedAt?: string },
): Promise<void> {
  const line = (thing: 'ride' | 'request' | 'booking', at: string) => ({
    thing,
    thingId: ids[thing],
    move: 'publish',
    toState: 'matching' as const,
    actor: 'system' as const,
    at: new Date(at),
  });
  const ofBooking = [createdAt, joinedAt, endedAt].filter((at) => at !== undefined);
  await app.platform.db
    .insert(moveHistory)
    .values([
      line('ride', createdAt),
      line('request', createdAt),
      ...ofBooking.map((at) => line('booking', at)),
    ]);
}

/** Until all is added up but the last minutes. */
async function addUpAll(of: App = app.platform): Promise<void> {
  for (let round = 0; round < 10; round++) await addUp(of);
}

const rowAt = (rows: readonly StatisticsRow[], from: string) => rows.find((row) => row.from === from);

/** Eight bookings begin on 17 November in California, and one a second before it. */
async function insertBookings(driver: TestPerson, passenger: TestPerson): Promise<void> {
  // From 08:00 UTC on the 17th until 08:00 UTC on the 18th.
  const inside = '2026-11-17T08:00:00Z';
  const late = '2026-11-18T07:59:59Z';
  await booking(driver, passenger, {
    createdAt: inside,
    joinedAt: inside,
    endedAt: late,
    state: 'finished',
    metres: 12_000,
  });
  await booking(driver, passenger, {
    createdAt: inside,
    joinedAt: inside,
    endedAt: late,
    state: 'finished',
    metres: 8000,
  });
  await booking(driver, passenger, {
    createdAt: inside,
    joinedAt: inside,
    endedAt: inside,
    state: 'cancel',
    fault: 'driver',
  });
  await booking(driver, passenger, {
    createdAt: inside,
    joinedAt: late,
    endedAt: late,
    state: 'cancel',
    fault: 'passenger',
  });
  await booking(driver, passenger, {
    createdAt: late,
    joinedAt: late,
    endedAt: late,
    state: 'missed',
    fault: 'driver',
  });
  await booking(driver, passenger, {
    createdAt: late,
    joinedAt: late,
    endedAt: late,
    state: 'missed',
    fault: 'passenger',
  });
  // Never joined: a withdrawn or refused ask is no cancellation.
  await booking(driver, passenger, { createdAt: inside, endedAt: late, state: 'cancel' });
  await booking(driver, passenger, { createdAt: inside, endedAt: late, state: 'rejected' });
  // A second before and after that day.
  await booking(driver, passenger, {
    createdAt: '2026-11-17T07:59:59Z',
    joinedAt: '2026-11-18T08:00:00Z',
    state: 'joined',
  });
}

async function insertLicenses(driver: TestPerson): Promise<void> {
  const license = (sentAt: string, decidedAt: string | null) => ({
    id: crypto.randomUUID(),
    userId: driver.id,
    status: decidedAt === null ? ('Reviewing' as const) : ('Accepted' as const),
    createdAt: new Date(sentAt),
    decidedAt: decidedAt === null ? null : new Date(decidedAt),
  });
  await app.platform.db
    .insert(licenses)
    .values([
      license('2026-11-17T09:00:00Z', '2026-11-17T10:00:00Z'),
      license('2026-11-16T10:00:00Z', '2026-11-17T12:00:00Z'),
      license('2026-11-17T10:00:00Z', '2026-11-17T12:00:00Z'),
      license('2026-11-18T01:00:00Z', null),
    ]);
}

/** Two authorizations of 650 cents; one of them is captured, and 150 cents are refunded. */
async function insertLedger(): Promise<void> {
  const authorizationId = crypto.randomUUID();
  const at = new Date('2026-11-17T18:00:00Z');
  const entry = (what: 'held' | 'let go' | 'taken' | 'refunded', amounts: Record<string, number>) => {
    const entryId = crypto.randomUUID();
    return Object.entries(amounts).map(([account, cents]) => ({
      entryId,
      account,
      cents,
      authorizationId,
      what,
      at,
    }));
  };
  await app.platform.db
    .insert(ledgerLines)
    .values([
      ...entry('held', { 'cards.held': 650, holds: -650 }),
      ...entry('held', { 'cards.held': 650, holds: -650 }),
      ...entry('let go', { 'cards.held': -650, holds: 650 }),
      ...entry('taken', { cards: 650, drivers: -550, fees: -100 }),
      ...entry('refunded', { cards: -150, drivers: 127, fees: 23 }),
    ]);
}

test('the figures are those one counts by hand, in the region’s own days', async () => {
  const [driver, passenger] = [await app.person('Mia'), await app.person('Leo')];
  await insertBookings(driver, passenger);
  await insertLicenses(driver);
  await insertLedger();

  await addUpAll();
  const byDay = await app.ok(admin, statistics, {});
  expect(byDay.timeZone).toBe('America/Los_Angeles');
  expect(byDay.rows).toHaveLength(30);
  expect([byDay.rows[0]?.from, byDay.rows.at(-1)?.from]).toEqual(['2026-10-20', '2026-11-18']);
  expect(rowAt(byDay.rows, '2026-11-17')).toEqual({
    from: '2026-11-17',
    people: 0,
    rides: 8,
    requests: 8,
    matches: 8,
    joined: 6,
    finished: 2,
    cancelledByDriver: 1,
    cancelledByPassenger: 1,
    missedByDriver: 1,
    missedByPassenger: 1,
    sharedMetres: 20_000,
    savedCo2Grams: Math.round(20_000 * co2GramsPerMetre),
    // Two authorizations of 650 cents each; one was captured, less 150 cents refunded.
    authorizedCents: 1300,
    capturedCents: 500,
    licencesDecided: 3,
    licenceWaitMinutes: 120,
  });
  expect(rowAt(byDay.rows, '2026-11-16')).toMatchObject({ matches: 1, joined: 0 });
  expect(rowAt(byDay.rows, '2026-11-18')).toMatchObject({ people: 3, matches: 0, joined: 1 });
  expect(rowAt(byDay.rows, '2026-11-15')).toMatchObject({ matches: 0, licenceWaitMinutes: null });
  expect(byDay.now).toMatchObject({
    people: 3,
    suspended: 0,
    openRides: 0,
    openRequests: 0,
    licencesWaiting: 1,
    oldestLicenceSentAt: '2026-11-18T01:00:00.000Z',
  });

  const byWeek = await app.ok(admin, statistics, { by: 'week' });
  expect(byWeek.rows).toHaveLength(26);
  expect(byWeek.rows.at(-1)).toMatchObject({
    from: '2026-11-16',
    people: 3,
    matches: 9,
    joined: 7,
    sharedMetres: 20_000,
  });
  const byMonth = await app.ok(admin, statistics, { by: 'month' });
  expect(byMonth.rows.map(({ from }) => from)).toEqual([
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
    '2026-04-01',
    '2026-05-01',
    '2026-06-01',
    '2026-07-01',
    '2026-08-01',
    '2026-09-01',
    '2026-10-01',
    '2026-11-01',
  ]);
  expect(byMonth.rows.at(-1)).toMatchObject({ people: 3, rides: 9, finished: 2 });
  expect((await app.call(admin, statistics, { by: 'hour' as 'day' })).code).toBe(422);
});

test('a month of the past is added up in one round; before it the number of people is right', async () => {
  const { db } = app.platform;
  const before = await app.ok(admin, statistics, {});
  const past = await app.person('Early');
  await db
    .update(users)
    .set({ createdAt: new Date('2026-10-22T18:00:00Z') })
    .where(eq(users.id, past.id));
  await db.delete(figuresCounted);
  await db.delete(dailyFigures);
  expect((await app.ok(admin, statistics, {})).now.people).toBe(before.now.people + 1);
  await addUp(app.platform);
  const after = await app.ok(admin, statistics, {});
  expect(after.now.people).toBe(before.now.people + 1);
  expect(rowAt(after.rows, '2026-10-22')).toMatchObject({ people: 1 });
  expect(rowAt(after.rows, '2026-11-17')).toEqual(rowAt(before.rows, '2026-11-17'));
});

test('what is added up is never added twice, and the days of another zone are counted anew', async () => {
  const before = await app.ok(admin, statistics, { by: 'month' });
  app.clock.advance(10 * 60_000);
  await app.person('Newcomer');
  await Promise.all([addUpAll(), addUp(app.platform)]);
  app.clock.advance(10 * 60_000);
  await Promise.all([addUpAll(), addUp(app.platform)]);
  const after = await app.ok(admin, statistics, { by: 'month' });
  expect(after.now.people).toBe(before.now.people + 1);
  expect(after.rows.at(-1)).toEqual({ ...before.rows.at(-1)!, people: before.rows.at(-1)!.people + 1 });

  const { geo } = app.platform;
  const info = { ...geo.region.info, timeZone: 'Asia/Tokyo' };
  const elsewhere: App = { ...app.platform, geo: { ...geo, region: { ...geo.region, info } } };
  await addUpAll(elsewhere);
  const there = await readStatistics(elsewhere, 'day');
  expect(there.now.people).toBe(after.now.people);
  // 08:00 UTC on the 17th is five in the afternoon there.
  expect(rowAt(there.rows, '2026-11-17')).toMatchObject({ matches: 7 });
});

test('open orders are counted by the task once a minute, and by the page where no process does it', async () => {
  const { db } = app.platform;
  const driver = await app.person('Olga');
  const publish = async () => {
    const departsAt = new Date(app.clock.now().getTime() + 86_400_000);
    await db.insert(rides).values(openRide({ driverId: driver.id, departsAt }));
  };
  const shown = async () => (await app.ok(admin, statistics, { by: 'day' })).now.openRides;
  app.clock.advance(hourMs);
  const before = await shown();
  await publish();
  expect(await shown()).toBe(before + 1);
  await addUp(app.platform);
  await publish();
  await addUp(app.platform);
  expect(await shown()).toBe(before + 1);
  app.clock.advance(minuteMs);
  await addUp(app.platform);
  expect(await shown()).toBe(before + 2);
  await publish();
  app.clock.advance(5 * minuteMs);
  expect(await shown()).toBe(before + 3);
});
