import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/access/endpoints.ts';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { config } from '#contract/app/endpoints.ts';
import { roomList } from '#contract/chat/endpoints.ts';
import { listContacts, listTags } from '#contract/contacts/endpoints.ts';
import { companions, contactsOrders, popularWays } from '#contract/discover/endpoints.ts';
import { listEvents } from '#contract/events/endpoints.ts';
import { listAddresses } from '#contract/geo/endpoints.ts';
import { pendingReviews } from '#contract/reviews/endpoints.ts';
import { listOrders, match } from '#contract/rides/endpoints.ts';
import { catchUp } from '../features/commutes/commute-index.ts';
import { vehicleModels } from '../features/drivers/vehicles/vehicles.ts';
import { locatePlace, roadNetwork } from '../features/geo/region-roads.ts';
import { hourMs, later } from '../platform/clock.ts';
import { contacts } from '../schema/contacts.ts';
import { users } from '../schema/identity.ts';
import { reviews } from '../schema/reviews.ts';
import { bookings, requests, rides, recurringDays } from '../schema/rides.ts';
import { countDemo } from '../testing/demo-counts.ts';
import { openTestApp, type TestApp, type TestPerson } from '../testing/test-app.ts';
import { daysAround } from './days.ts';
import { driveTimes } from './drive-times.ts';
import { finishedRides } from './past.ts';
import { people } from './demo-data.ts';
import { demoPlaces, seedDemoCommunity } from './seed.ts';
import { createDice } from './seeded-random.ts';
import { Diary } from './week-plan.ts';
import { openRequests, openRides, planWeek } from './week.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sameway-demo-'));
// A Thursday noon in Santa Cruz; the clock changes there within the weeks before.
const now = new Date('2026-11-12T20:00:00Z');
const timeZone = 'America/Los_Angeles';

let app: TestApp;
let brokenOff: Record<string, number> = {};
/** By so much the clock runs ahead, before and after. */
let leadMs = 0;
beforeAll(async () => {
  app = await openTestApp({ startsAt: now, env: { DEMO: '1', DATA_DIR: dataDir } });
  leadMs = app.clock.offsetMs;
  // The first start breaks off in the middle of the past, as by Ctrl-C; the tests below check what the second
  // one has made.
  let asked = 0;
  await seedDemoCommunity({ app, say: () => {}, stopped: () => ++asked > 1 });
  brokenOff = await counts();
  await seedDemoCommunity({ app, say: () => {} });
  await app.deliver();
}, 900_000);
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Signs in as the account of a role, as a visitor does. */
async function visitor(role: 'driver' | 'passenger' | 'admin'): Promise<TestPerson> {
  const { demoSignIns } = await app.ok(null, config, {});
  const account = demoSignIns.find((each) => each.role === role)!;
  const session = await app.ok(null, login, { email: account.email, password: account.password });
  return { id: session.id, email: session.email, token: session.accessToken };
}

// The days of weekly rides come on top of the planned week.
const openRideRows = () =>
  app.platform.db
    .select()
    .from(rides)
    .where(and(eq(rides.state, 'matching'), isNull(rides.recurringId)));
const openRequestRows = () =>
  app.platform.db
    .select()
    .from(requests)
    .where(
      and(inArray(requests.state, ['matching', 'requesting', 'inviting']), isNull(requests.recurringId)),
    );

const counts = () => countDemo(app);

test('the community is there, and the clock is back where it was', async () => {
  expect((await counts())['users']).toBeGreaterThanOrEqual(40);
  expect(await openRideRows()).toHaveLength(openRides);
  expect(await openRequestRows()).toHaveLength(openRequests);
  expect((await app.ok(null, listEvents, {})).events).toHaveLength(2);
  expect(await app.platform.db.$count(bookings, eq(bookings.state, 'joined'))).toBeGreaterThanOrEqual(10);
  expect(app.clock.offsetMs).toBe(leadMs);
});

test('every order is to come, leads over roads, and nobody is in two places at once', async () => {
  const ordersOf = await Promise.all([openRideRows(), openRequestRows()]);
  for (const row of ordersOf.flat()) {
    const points = [
      { lon: row.fromLon, lat: row.fromLat },
      { lon: row.toLon, lat: row.toLat },
    ].map((at) => locatePlace(app.platform, at, 'place'));
    expect(
      points.every(({ metresFromRoad }) => metresFromRoad < 250),
      `${row.fromName} to ${row.toName}`,
    ).toBe(true);
    expect(roadNetwork(app.platform).travel(points[0]!, points[1]!)).not.toBeNull();
    expect('departsAt' in row ? row.departsAt : row.earliestAt).toSatisfy((at: Date) => at > app.clock.now());
  }
  expect(ordersOf[0].some(({ estimated }) => estimated)).toBe(true);
  expect(new Set(ordersOf[0].map(({ visibility }) => visibility))).toEqual(
    new Set(['all users', 'all contacts', 'tags']),
  );
  expect(ordersOf.map((rows) => rows.filter(({ eventId }) => eventId !== null).length >= 4)).toEqual([
    true,
    true,
  ]);
});

test('ratings and finished rides agree with what was written and driven', async () => {
  const written = await app.platform.db.select().from(reviews);
  const driven = await app.platform.db
    .select({
      driverId: bookings.driverId,
      passengerId: bookings.passengerId,
      rideId: bookings.rideId,
      metres: requests.driveMetres,
    })
    .from(bookings)
    .innerJoin(requests, eq(requests.id, bookings.requestId))
    .where(eq(bookings.state, 'finished'));
  for (const user of await app.platform.db.select().from(users)) {
    const published = written.filter(
      ({ subjectId, publishedAt }) => subjectId === user.id && publishedAt !== null,
    );
    const asDriver = driven.filter(({ driverId }) => driverId === user.id);
    const asPassenger = driven.filter(({ passengerId }) => passengerId === user.id);
    expect(user, user.name).toMatchObject({
      ratingCount: published.length,
      ratingSum: published.reduce((sum, { stars }) => sum + stars, 0),
      completedRides: new Set(asDriver.map(({ rideId }) => rideId)).size + asPassenger.length,
      sharedMetres: [...asDriver, ...asPassenger].reduce((sum, { metres }) => sum + metres, 0),
    });
  }
  expect(new Set(driven.map(({ rideId }) => rideId)).size).toBe(30);
  expect(written.length).toBeGreaterThan(40);
});

test('everybody has a portrait that is served, a few contacts, and numbers of their own', async () => {
  const rows = await app.platform.db.select().from(users);
  for (const { avatar, phone } of rows) {
    const answer = await app.http.inject({ method: 'GET', url: avatar });
    expect(answer.statusCode, avatar).toBe(200);
    expect(answer.headers['content-type']).toContain('image/svg+xml');
    expect(phone).toMatch(/^\+1415555\d{4}$/);
  }
  const known = await app.platform.db.select().from(contacts);
  for (const { id, name } of rows) {
    const others = known.filter(({ ownerId }) => ownerId === id);
    expect(others.length, name).toBeGreaterThanOrEqual(3);
    expect(others.length, name).toBeLessThanOrEqual(12);
    expect(
      others.every(({ otherId }) => known.some((back) => back.ownerId === otherId && back.otherId === id)),
    ).toBe(true);
  }
});

test('Leo finds rides to campus, an invitation, a ride he has joined with its talk, and a review to write', async () => {
  const leo = await visitor('passenger');
  const { orders } = await app.ok(leo, listOrders, { role: 'passenger' });
  const waiting = orders.find(({ label }) => label === 'matching')!;
  const { candidates } = await app.ok(leo, match, { id: waiting.id });
  expect(candidates.length).toBeGreaterThanOrEqual(3);
  expect(candidates.map(({ ride }) => ride.driver.name)).toContain('Mia Torres');
  expect(orders.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['inviting', 'joined', 'finished']),
  );
  expect(orders.some(({ stage }) => stage === 'Requesting')).toBe(true);
  const open = (await app.ok(leo, roomList, {})).rooms.filter(({ closed }) => !closed);
  // Where an invitation waits, its thread does.
  expect(
    open.some(({ bookingId, lastMessage }) => bookingId !== null && lastMessage?.system?.move === 'invite'),
  ).toBe(true);
  const rooms = open.filter(({ bookingId }) => bookingId === null);
  expect(rooms).toMatchObject([{ unread: 1, lastMessage: { kind: 'text' } }]);
  expect(rooms[0]!.lastSeq).toBeGreaterThanOrEqual(5);
  expect((await app.ok(leo, pendingReviews, {})).pending).toHaveLength(1);
});

test('Mia finds a ride for tomorrow, two asks to answer, her tags, and the rest of today is hers', async () => {
  const mia = await visitor('driver');
  const { orders } = await app.ok(mia, listOrders, { role: 'driver' });
  const open = orders.filter(({ stage }) => stage !== 'Completed');
  const asked = open.filter(({ nextAction }) => nextAction?.kind === 'answerRequest');
  expect(asked).toMatchObject([{ nextAction: { count: 2 } }]);
  const tomorrow = daysAround(now, timeZone).on(1, '00:00');
  for (const person of [mia, await visitor('passenger')]) {
    for (const order of (await app.ok(person, listOrders, {})).orders) {
      if (order.stage !== 'Completed')
        expect(new Date(order.startsAt).getTime()).toBeGreaterThan(tomorrow.getTime());
    }
  }
  expect((await app.ok(mia, listTags, {})).tags.map(({ name, size }) => [name, size > 0])).toEqual([
    ['Climbing', true],
    ['Family', true],
    ['Work', true],
  ]);
  expect((await app.ok(mia, listContacts, {})).contacts.some(({ tagIds }) => tagIds.length > 0)).toBe(true);
  expect((await app.ok(mia, listAddresses, {})).shortcuts.map(({ label }) => label)).toEqual([
    'home',
    'work',
  ]);
});

test('a second start changes nothing; one after a start that was broken off began again without doubles', async () => {
  expect(brokenOff).toMatchObject({ users: people.length });
  expect(brokenOff['rides']).toBeGreaterThan(0);
  const before = await counts();
  expect(before).toMatchObject({ users: people.length, vehicles: brokenOff['vehicles'] });
  expect(await app.platform.db.$count(rides, eq(rides.state, 'finished'))).toBe(finishedRides);
  await seedDemoCommunity({ app, say: () => {} });
  expect(await counts()).toEqual(before);
});

test('a database with people of its own is left alone', async () => {
  const other = await openTestApp({ startsAt: now, env: { DEMO: '1', DATA_DIR: dataDir } });
  await other.person('Somebody');
  await seedDemoCommunity({ app: other, say: () => {} });
  expect(await other.platform.db.$count(users)).toBe(1);
  await other.close();
});

test('whatever day and hour it is, the week has its numbers and its scenes', async () => {
  const driveMs = driveTimes(app, await demoPlaces(app));
  for (let hours = 0; hours < 14 * 24; hours += 5) {
    // Two weeks around the end of daylight saving time.
    const start = later(new Date('2026-10-25T07:00:00Z'), hours * hourMs);
    const days = daysAround(start, timeZone);
    const week = planWeek({ days, dice: createDice(831), driveMs, diary: new Diary() });
    expect(week.rides, start.toISOString()).toHaveLength(openRides);
    expect(week.requests.length, start.toISOString()).toBeGreaterThanOrEqual(openRequests);
    expect([...week.rides, ...week.requests].filter(({ scene }) => scene !== undefined)).toHaveLength(14);
    for (const { departsAt } of week.rides) {
      expect(departsAt.getTime()).toBeGreaterThan(start.getTime() + hourMs);
      expect(departsAt.getTime()).toBeLessThan(start.getTime() + 8.5 * 24 * hourMs);
    }
  }
});

test('each driver’s car is one that can be chosen, with room for whom they take', () => {
  for (const { key, car } of people) {
    if (car === null) continue;
    expect(vehicleModels(car.brand, car.model), key).toContain(car.model);
    expect(car.seats).toBeGreaterThanOrEqual(3);
  }
  expect(people.filter(({ car }) => car !== null).length).toBeGreaterThanOrEqual(24);
});

test('Mia and Leo each wait for company to campus, and some has come', async () => {
  for (const role of ['driver', 'passenger'] as const) {
    const who = await visitor(role);
    const { alerts, unread } = await app.ok(who, listAlerts, {});
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toMatchObject({ role, ended: false });
    expect(unread).toBeGreaterThan(0);
    expect(alerts[0]!.hits.length).toBeGreaterThan(0);
    for (const { order } of alerts[0]!.hits) expect(order.role).not.toBe(role);
  }
});

test('what there is to discover: ways that many travel, company to campus, rides of contacts', async () => {
  await catchUp(app.platform);
  const [lon, lat] = (await app.ok(null, config, {})).region.center;
  const { ways, total } = await app.ok(null, popularWays, { lon, lat });
  expect(total).toBeGreaterThanOrEqual(4);
  expect(new Set(ways.map(({ from, to }) => `${from.name} to ${to.name}`)).size).toBeGreaterThanOrEqual(4);
  const refused = await app.platform.db.$count(recurringDays, eq(recurringDays.outcome, 'refused'));
  expect(refused).toBe(0);
  for (const role of ['driver', 'passenger'] as const) {
    const who = await visitor(role);
    const company = await app.ok(who, companions, {});
    expect(company.total, role).toBeGreaterThanOrEqual(3);
    expect(company.people.some(({ next }) => next !== null)).toBe(true);
    expect((await app.ok(who, contactsOrders, {})).total, role).toBeGreaterThan(0);
  }
});
