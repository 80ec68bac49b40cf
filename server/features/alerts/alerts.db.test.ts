import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { InputOf } from '#contract/define.ts';
import { createAlert, deleteAlert, listAlerts, maxAlerts, readAlert } from '#contract/alerts/endpoints.ts';
import {
  connectDevice,
  firstChoices,
  readSettings,
  saveSettings,
  unsubscribe,
} from '#contract/notifications/endpoints.ts';
import { accept, askToJoin, cancelOrder, orderDetail } from '#contract/rides/endpoints.ts';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import { alertHits, alerts } from '../../schema/alerts.ts';
import { blocks } from '../../schema/contacts.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { emitted } from '../../testing/emitted.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { users } from '../../schema/identity.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { openPushSink, type PushSink } from '../../testing/push-sink.ts';
import { refusedFields } from '../../testing/envelopes.ts';
import { befriend } from '../contacts/meet-person.ts';
import { cancelOrder as cancelOrderOf } from '../orders/bookings/cancel-order.ts';
import { viewOrder } from '../orders/order-views.ts';
import { acceptBooking } from '../orders/bookings/accept-booking.ts';

// A Monday morning in Santa Cruz.
const startsAt = new Date('2026-11-23T15:00:00Z');

let app: TestApp;
let sink: PushSink;
beforeAll(async () => {
  sink = await openPushSink();
  app = await openTestApp({
    startsAt,
    env: { PUBLIC_URL: 'https://ride.example/', PUSH_SERVICES: sink.origin },
  });
});
afterAll(async () => {
  await app.close();
  sink.close();
});

type RideAlert = Extract<InputOf<typeof createAlert>['alert'], { role: 'passenger' }>;
type RequestAlert = Extract<InputOf<typeof createAlert>['alert'], { role: 'driver' }>;

let passenger: TestPerson;
let driver: TestPerson;
beforeEach(async () => {
  // Only the test's own alerts and orders exist.
  await app.pool.query('truncate alerts, rides, requests, order_spans cascade');
  [passenger, driver] = [await app.person('Pat'), await app.person('Dora')];
});

/** Tomorrow at this time, as the orders of the test are, give or take some minutes. */
const tomorrow = (minutes = 0) => later(app.clock.now(), dayMs + minutes * minuteMs).toISOString();
const rideAlert = (fields: Partial<RideAlert> = {}): RideAlert => ({
  role: 'passenger',
  from: spots.downtown,
  to: spots.capitola,
  times: { kind: 'once', earliestAt: tomorrow(-60), latestAt: tomorrow(60) },
  seats: 1,
  offerCents: null,
  ...fields,
});
const requestAlert = (fields: Partial<RequestAlert> = {}): RequestAlert => ({
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  times: rideAlert().times,
  seats: 3,
  priceKind: 'perPerson',
  costCents: 0,
  ...fields,
});
const save = (who: TestPerson, alert: RideAlert | RequestAlert) => app.ok(who, createAlert, { alert });
const listOf = (who: TestPerson) => app.ok(who, listAlerts, {});
const hitsOf = async (who: TestPerson) =>
  (await listOf(who)).alerts.flatMap(({ hits }) => hits.map(({ order }) => order.id));
const emailsTo = async (who: TestPerson) =>
  (
    await app.platform.db.select().from(outboxMessages).where(eq(outboxMessages.recipient, who.email))
  ).toSorted((a, b) => a.at.getTime() - b.at.getTime());

test('a passenger hears of a ride that fits, once, with an email that leads to it', async () => {
  await save(passenger, rideAlert());
  const ride = await publishRide(app, driver);
  await app.deliver();
  const { alerts: mine, unread } = await listOf(passenger);
  expect(unread).toBe(1);
  expect(mine).toMatchObject([{ role: 'passenger', total: 1, unread: 1, ended: false, walkMetres: 600 }]);
  expect(mine[0]!.hits).toMatchObject([
    { unread: true, fareCents: 0, order: { id: ride.id, role: 'driver', from: { approximate: true } } },
  ]);
  await app.ok(passenger, orderDetail, { id: ride.id });

  const letters = await emailsTo(passenger);
  expect(letters).toHaveLength(1);
  expect(letters[0]!.subject).toBe('A ride matches your alert: Pacific Avenue → Capitola Village');
  expect(letters[0]!.body).toContain(`https://ride.example/pages/order/detail?id=${ride.id}`);
  expect(letters[0]!.body).toContain('https://ride.example/pages/discover/discover?view=alerts');
  expect(letters[0]!.body).toContain('Dora');

  // The same signals once more: nothing is found, emailed or written twice.
  for (const signal of await emitted(app.platform.db))
    await app.platform.outbox.again(app.platform.db, 'deliver', { listener: 'alerts', signal });
  await app.deliver();
  app.clock.advance(2 * hourMs);
  await app.scheduler.tick();
  await app.deliver();
  expect(await emailsTo(passenger)).toHaveLength(1);
  expect((await listOf(passenger)).alerts).toMatchObject([{ total: 1 }]);
  expect(await app.platform.db.select().from(alertHits).where(eq(alertHits.rideId, ride.id))).toHaveLength(1);

  await app.ok(passenger, readAlert, { id: mine[0]!.id });
  expect(await listOf(passenger)).toMatchObject({ unread: 0, alerts: [{ total: 1, unread: 0 }] });
});

test('a ride that is published while the word of the alert still waits is news, too', async () => {
  await save(passenger, rideAlert());
  app.clock.advance(minuteMs);
  await publishRide(app, driver);
  // The alert's own signal comes first, and finds the ride.
  await app.deliver();
  const told = await emitted(app.platform.db, 'alert.hit');
  expect(told.map(({ payload }) => (payload as { ownerId: string }).ownerId)).toContain(passenger.id);
  const open = await emitted(app.platform.db, 'live.changed');
  expect(open.map(({ payload }) => payload)).toContainEqual({
    userIds: [passenger.id],
    changed: expect.objectContaining({ topic: 'alert', news: 'alert.hit' }),
  });
});

test('a driver hears of a request that fits, in their language; the price counts', async () => {
  await app.platform.db.update(users).set({ language: 'zh' }).where(eq(users.id, driver.id));
  await save(driver, requestAlert());
  await save(driver, requestAlert({ costCents: 900 }));
  const request = await publishRequest(app, passenger, { offerCents: 650 });
  await app.deliver();
  const { alerts: mine } = await listOf(driver);
  expect(mine.map(({ total }) => total)).toEqual([0, 1]);
  expect(mine[1]!.hits[0]!.order.id).toBe(request.id);
  expect(mine[1]!.hits[0]!.order.from.approximate).toBe(true);
  const [letter] = await emailsTo(driver);
  expect(letter!.subject).toBe('有 1 位乘客与您的提醒匹配：Mission Street → Aptos Village');
  expect(letter!.body).toContain('顺路 Sameway');
});

test('what stands already is found when the alert is saved, without an email', async () => {
  const ride = await publishRide(app, driver);
  await save(passenger, rideAlert());
  await app.deliver();
  expect(await hitsOf(passenger)).toContain(ride.id);
  await app.scheduler.tick();
  await app.deliver();
  expect(await emailsTo(passenger)).toHaveLength(0);
});

test('nobody hears of an order they may not see, of their own, or of one whose owner is blocked', async () => {
  const [friend, blocker] = [await app.person('Fay'), await app.person('Ben')];
  await befriend(app.platform, driver.id, friend.id);
  await app.platform.db
    .insert(blocks)
    .values({ blockerId: blocker.id, blockedId: driver.id, createdAt: app.clock.now() });
  for (const who of [passenger, friend, blocker, driver]) await save(who, rideAlert());
  const forContacts = await publishRide(app, driver, { visibility: 'all contacts' });
  await app.deliver();
  expect(await hitsOf(friend)).toContain(forContacts.id);
  for (const who of [passenger, blocker, driver]) {
    expect(await hitsOf(who)).not.toContain(forContacts.id);
    expect(await emailsTo(who)).toHaveLength(0);
  }
  const other = await app.person('Otto');
  const ride = await publishRide(app, other);
  await app.deliver();
  expect(await hitsOf(passenger)).toContain(ride.id);
  await app.platform.db
    .insert(blocks)
    .values({ blockerId: other.id, blockedId: passenger.id, createdAt: app.clock.now() });
  expect(await hitsOf(passenger)).not.toContain(ride.id);
  expect((await listOf(passenger)).unread).toBe(0);
});

test('further hits are gathered into one email an hour, by the app’s clock', async () => {
  await save(passenger, rideAlert());
  const rideOf = async (name: string) => publishRide(app, await app.person(name));
  await rideOf('Ann');
  await app.deliver();
  app.clock.advance(5 * minuteMs);
  const [second, third, taken] = [await rideOf('Bob'), await rideOf('Cem'), await rideOf('Dee')];
  await app.deliver();
  app.clock.advance(50 * minuteMs);
  await app.scheduler.tick();
  await app.deliver();
  expect(await emailsTo(passenger)).toHaveLength(1);
  // An order canceled meanwhile is left out of the email.
  const owner = (await app.platform.db.select().from(users)).find(({ id }) => id === taken.driver.id)!;
  await cancelOrderOf(app.platform, owner.id, { id: taken.id, reason: '' });
  await app.deliver();
  app.clock.advance(6 * minuteMs);
  await app.scheduler.tick();
  await app.scheduler.tick();
  await app.deliver();
  const letters = await emailsTo(passenger);
  expect(letters).toHaveLength(2);
  expect(letters[1]!.subject).toMatch(/^2 rides match/);
  expect(letters[1]!.body).toContain(second.id);
  expect(letters[1]!.body).toContain(third.id);
  expect(letters[1]!.body).not.toContain(taken.id);
});

test('in quiet hours the email waits, and its link ends emails of its kind', async () => {
  const now = app.clock.now();
  const timeIn = (hours: number) =>
    later(now, hours * hourMs)
      .toISOString()
      .slice(11, 16);
  const quietHours = { on: true, from: timeIn(-1), to: timeIn(2), timeZone: 'UTC' };
  await app.ok(passenger, saveSettings, { ...firstChoices, quietHours });
  await save(passenger, rideAlert());
  const ride = await publishRide(app, driver);
  await app.deliver();
  app.clock.advance(hourMs);
  await app.scheduler.tick();
  await app.deliver();
  expect(await emailsTo(passenger)).toHaveLength(0);
  app.clock.advance(hourMs + minuteMs);
  await app.scheduler.tick();
  await app.deliver();
  const [letter, ...more] = await emailsTo(passenger);
  expect(more).toEqual([]);
  expect(letter!.body).toContain(ride.id);
  const code = /kind=alert&code=([\w-]+)/.exec(letter!.body)![1]!;
  await app.ok(null, unsubscribe, { kind: 'alert', code });
  expect((await app.ok(passenger, readSettings, {})).choices.kinds.alert.email).toBe(false);
});

async function pass(milliseconds: number): Promise<void> {
  await app.deliver();
  app.clock.advance(milliseconds);
  await app.scheduler.tick();
  await app.deliver();
}

test('a push message that left makes the email superfluous; one that no device took does not', async () => {
  await app.ok(passenger, connectDevice, sink.subscription);
  await save(passenger, rideAlert());
  await publishRide(app, driver);
  await pass(4 * secondMs);
  expect(sink.received).toHaveLength(1);
  await pass(3 * minuteMs);
  await pass(2 * hourMs);
  expect(await emailsTo(passenger)).toEqual([]);

  const other = await app.person('Olga');
  await app.ok(other, connectDevice, sink.subscription);
  await save(other, rideAlert());
  sink.answer = 410;
  const ride = await publishRide(app, await app.person('Eve'));
  await pass(4 * secondMs);
  expect(await emailsTo(other)).toEqual([]);
  await pass(3 * minuteMs);
  sink.answer = 201;
  const [email, ...more] = await emailsTo(other);
  expect(more).toEqual([]);
  expect(email!.subject).toMatch(/^A ride matches/);
  expect(email!.body).toContain(ride.id);
});

test('of an alert, too, a person who chose both gets both, and one who wants no emails gets none', async () => {
  for (const [who, choices] of [
    [passenger, { ...firstChoices, emailsBesidePush: true }],
    [driver, { ...firstChoices, agreed: false }],
  ] as const) {
    await app.ok(who, saveSettings, choices);
    await save(who, rideAlert());
  }
  await app.ok(passenger, connectDevice, sink.subscription);
  const before = sink.received.length;
  await publishRide(app, await app.person('Eve'));
  await pass(4 * secondMs);
  await pass(3 * minuteMs);
  expect(sink.received).toHaveLength(before + 1);
  expect(await emailsTo(passenger)).toHaveLength(1);
  expect(await emailsTo(driver)).toEqual([]);
});

test('what was seen in the app is not written about afterwards', async () => {
  const { id } = await save(passenger, rideAlert());
  await publishRide(app, driver);
  await app.deliver();
  await publishRide(app, await app.person('Eve'));
  await app.deliver();
  await app.ok(passenger, readAlert, { id });
  app.clock.advance(2 * hourMs);
  await app.scheduler.tick();
  await app.deliver();
  expect(await emailsTo(passenger)).toHaveLength(1);
});

test('a full ride is no hit, and one again when its seat is free; told once', async () => {
  const other = await app.person('Ola');
  await save(passenger, rideAlert());
  const ride = await publishRide(app, driver, { seats: 1 });
  await app.deliver();
  expect(await hitsOf(passenger)).toContain(ride.id);
  const request = await publishRequest(app, other);
  await app.ok(other, askToJoin, { rideId: ride.id, requestId: request.id });
  const [booking] = (await viewOrder(app.platform, ride.id, driver.id)).bookings;
  await app.ok(driver, accept, { bookingId: booking!.id });
  await app.deliver();
  expect(await hitsOf(passenger)).not.toContain(ride.id);
  await app.ok(other, cancelOrder, { id: request.id });
  await app.deliver();
  expect(await hitsOf(passenger)).toContain(ride.id);
  expect(await emailsTo(passenger)).toHaveLength(1);

  const late = await app.person('Lou');
  const full = await publishRide(app, await app.person('Max'), { seats: 1 });
  const fullRequest = await publishRequest(app, late);
  await app.ok(late, askToJoin, { rideId: full.id, requestId: fullRequest.id });
  const [taken] = (await viewOrder(app.platform, full.id, full.driver.id)).bookings;
  await acceptBooking(app.platform, taken!.id, full.driver.id);
  await app.deliver();
  const waiting = await app.person('Wes');
  await save(waiting, rideAlert());
  await app.deliver();
  expect(await hitsOf(waiting)).not.toContain(full.id);
  // The first time it has room while this alert waits: now its owner is notified.
  await app.ok(late, cancelOrder, { id: fullRequest.id });
  await app.deliver();
  expect(await hitsOf(waiting)).toContain(full.id);
  expect(await emailsTo(waiting)).toHaveLength(1);
});

test('who has asked for a ride hears no more of it, and rides along without an email about it', async () => {
  await save(passenger, rideAlert());
  await save(driver, requestAlert());
  const ride = await publishRide(app, driver);
  await app.deliver();
  expect(await emailsTo(passenger)).toHaveLength(1);
  const request = await publishRequest(app, passenger);
  await app.deliver();
  expect(await hitsOf(driver)).toEqual([request.id]);
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  await app.deliver();
  for (const who of [passenger, driver]) expect(await hitsOf(who)).toEqual([]);
  const [booking] = (await viewOrder(app.platform, ride.id, driver.id)).bookings;
  await app.ok(driver, accept, { bookingId: booking!.id });
  app.clock.advance(2 * hourMs);
  await app.deliver();
  await app.scheduler.tick();
  await app.deliver();
  for (const who of [passenger, driver]) {
    expect(await hitsOf(who)).toEqual([]);
    expect(await emailsTo(who)).toHaveLength(1);
  }
});

test('a deleted alert hears nothing, and nobody else can read or delete it', async () => {
  const { id } = await save(passenger, rideAlert());
  for (const call of [deleteAlert, readAlert])
    expect(await app.call(driver, call, { id })).toMatchObject({ code: 404, reason: 'alert.notFound' });
  expect((await listOf(driver)).alerts).toEqual([]);
  for (const call of [deleteAlert, readAlert]) expect((await app.call(null, call, { id })).code).toBe(400);
  expect((await app.call(null, createAlert, { alert: rideAlert() })).code).toBe(400);
  expect((await app.call(null, listAlerts, {})).code).toBe(400);
  await app.ok(passenger, deleteAlert, { id });
  expect((await listOf(passenger)).alerts).toEqual([]);
  await publishRide(app, driver);
  await app.deliver();
  expect(await emailsTo(passenger)).toHaveLength(0);
  expect((await app.call(passenger, deleteAlert, { id })).code).toBe(404);
});

type WeeklyTimes = Extract<RideAlert['times'], { kind: 'weekly' }>;
const weekly = (fields: Partial<WeeklyTimes> = {}): WeeklyTimes => ({
  kind: 'weekly',
  days: [2],
  fromTime: '07:00',
  toTime: '08:00',
  until: '2026-12-20',
  ...fields,
});

test.each([
  ['places that are one', { to: spots.downtown }, 'alert.to', 'place.same'],
  ['no road near', { from: { name: 'Bay', lon: -122.1, lat: 36.9 } }, 'alert.from', 'place.noRoadNear'],
  ['a name missing', { from: { ...spots.downtown, name: ' ' } }, 'alert.from.name', 'input.invalid'],
  [
    'a window of yesterday',
    { times: { kind: 'once', earliestAt: '2026-11-22T15:00:00Z', latestAt: '2026-11-22T16:00:00Z' } },
    'alert.times.latestAt',
    'order.timePast',
  ],
  [
    'a window the wrong way round',
    { times: { kind: 'once', earliestAt: '2026-11-29T15:00:00Z', latestAt: '2026-11-29T14:00:00Z' } },
    'alert.times.latestAt',
    'order.windowWrong',
  ],
  [
    'a window of two days',
    { times: { kind: 'once', earliestAt: '2026-11-29T15:00:00Z', latestAt: '2026-12-01T14:00:00Z' } },
    'alert.times.latestAt',
    'order.windowWrong',
  ],
  [
    'a window in spring',
    { times: { kind: 'once', earliestAt: '2027-04-01T15:00:00Z', latestAt: '2027-04-01T16:00:00Z' } },
    'alert.times.latestAt',
    'order.timeTooFar',
  ],
  ['no day', { times: weekly({ days: [] }) }, 'alert.times.days', 'input.invalid'],
  ['an eighth day', { times: weekly({ days: [8] }) }, 'alert.times.days.0', 'input.invalid'],
  ['no time', { times: weekly({ fromTime: '7' }) }, 'alert.times.fromTime', 'input.invalid'],
  [
    'a window of no length',
    { times: weekly({ toTime: '07:00' }) },
    'alert.times.toTime',
    'order.windowWrong',
  ],
  [
    'an end that is no date',
    { times: weekly({ until: '2026-11-31' }) },
    'alert.times.until',
    'input.invalid',
  ],
  ['an end that is past', { times: weekly({ until: '2026-11-01' }) }, 'alert.times.until', 'order.timePast'],
  [
    'an end after 90 days',
    { times: weekly({ until: '2027-03-20' }) },
    'alert.times.until',
    'order.timeTooFar',
  ],
  [
    'no such day until the end',
    { times: weekly({ days: [7], until: '2026-11-27' }) },
    'alert.times.until',
    'alert.noDay',
  ],
  ['no seat', { seats: 0 }, 'alert.seats', 'input.invalid'],
  ['too low an offer', { offerCents: 500 }, 'alert.offerCents', 'order.offerTooLow'],
  ['too high an offer', { offerCents: 600_00 }, 'alert.offerCents', 'order.amountTooHigh'],
  ['a walk too far', { walkMetres: 5001 }, 'alert.walkMetres', 'input.invalid'],
])('refused: %s', async (_name, fields, field, reason) => {
  app.clock.moveTo(startsAt);
  const answer = await app.callUnchecked(passenger, createAlert, { alert: { ...rideAlert(), ...fields } });
  expect(answer).toMatchObject({ code: 422, reason });
  expect(Object.keys(refusedFields(answer))).toContain(field);
  expect((await listOf(passenger)).alerts).toEqual([]);
});

test.each([
  ['too low a price', { costCents: 30 }, 'alert.costCents', 'order.priceTooLow'],
  ['too high a price', { costCents: 501_00 }, 'alert.costCents', 'order.amountTooHigh'],
  ['too long a detour', { maxDetourMinutes: 46 }, 'alert.maxDetourMinutes', 'input.invalid'],
])('refused of a driver: %s', async (_name, fields, field, reason) => {
  const answer = await app.call(driver, createAlert, { alert: requestAlert(fields) });
  expect(answer).toMatchObject({ code: 422, reason });
  expect(Object.keys(refusedFields(answer))).toContain(field);
});

test('the same alert twice is refused in words, and so is one too many, however many come at once', async () => {
  const alert = rideAlert({ times: weekly({ days: [2, 4] }) });
  await save(passenger, alert);
  const again = rideAlert({ times: weekly({ days: [4, 2, 4] }) });
  expect(await app.call(passenger, createAlert, { alert: again })).toMatchObject({
    code: 422,
    reason: 'alert.duplicate',
    info: 'You already saved this alert.',
  });
  await save(driver, alert);
  const answers = await Promise.all(
    Array.from({ length: maxAlerts + 3 }, (_, index) =>
      app.call(passenger, createAlert, {
        alert: rideAlert({ times: weekly({ fromTime: `06:${String(index + 10)}` }) }),
      }),
    ),
  );
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(maxAlerts - 1);
  expect(answers.filter(({ reason }) => reason === 'alert.tooMany')).toHaveLength(4);
});

test('a weekly alert keeps its local time over the change of the clocks', async () => {
  // A Friday; the clocks go back on Sunday 1 November.
  app.clock.moveTo(new Date('2026-10-30T20:00:00Z'));
  const waiting = await app.person('Win');
  await save(
    waiting,
    rideAlert({ times: weekly({ days: [1, 6], fromTime: '07:00', toTime: '07:20', until: '2026-11-02' }) }),
  );
  const rideAt = async (departsAt: string) =>
    (await publishRide(app, await app.person('Rio'), { departsAt })).id;
  const fits = [await rideAt('2026-10-31T14:05:00Z'), await rideAt('2026-11-02T15:05:00Z')];
  const hourOff = [
    await rideAt('2026-10-31T15:05:00Z'),
    await rideAt('2026-11-02T14:05:00Z'),
    // A Sunday.
    await rideAt('2026-11-01T15:05:00Z'),
  ];
  await app.deliver();
  const hits = await hitsOf(waiting);
  expect(hits.toSorted()).toEqual(fits.toSorted());
  expect(hits).not.toEqual(expect.arrayContaining(hourOff));
  const [alert] = (await listOf(waiting)).alerts;
  expect(alert).toMatchObject({
    endsAt: '2026-11-02T15:20:00.000Z',
    times: { days: [1, 6], fromTime: '07:00' },
  });
});

test('an alert that is over ends by itself, and stays while a hit of it is of use', async () => {
  app.clock.moveTo(startsAt);
  const waiting = await app.person('Zoe');
  await save(
    waiting,
    rideAlert({ times: { kind: 'once', earliestAt: tomorrow(-30), latestAt: tomorrow(10) } }),
  );
  const ride = await publishRide(app, await app.person('Ivo'), {
    departsAt: tomorrow(-20),
    flexMinutes: 60,
  });
  await save(
    waiting,
    rideAlert({ times: { kind: 'once', earliestAt: tomorrow(-50), latestAt: tomorrow(-40) } }),
  );
  await app.deliver();
  const kept = async () =>
    (await app.platform.db.select().from(alerts).where(eq(alerts.ownerId, waiting.id))).length;
  expect(await kept()).toBe(2);
  app.clock.moveTo(later(startsAt, dayMs + 15 * minuteMs));
  await app.scheduler.tick();
  expect(await kept()).toBe(1);
  expect((await listOf(waiting)).alerts).toMatchObject([{ ended: true, total: 1 }]);
  expect(await hitsOf(waiting)).toEqual([ride.id]);
  // An ended alert stays ended: a new ride is no hit of it.
  await publishRide(app, await app.person('Uma'), {
    departsAt: tomorrow(-dayMs / minuteMs + 20),
    flexMinutes: 0,
  });
  await app.deliver();
  expect(await hitsOf(waiting)).toEqual([ride.id]);
  app.clock.moveTo(later(startsAt, dayMs + 3 * hourMs));
  await app.scheduler.tick();
  expect(await kept()).toBe(0);
});

test('a ride that many wait for is emailed to some at once, and to the others by the scheduler', async () => {
  const owners = [await app.person('Ana'), await app.person('Ben')];
  for (const owner of owners)
    for (let minute = 0; minute < 11; minute++)
      await save(
        owner,
        rideAlert({ times: { kind: 'once', earliestAt: tomorrow(-60 + minute), latestAt: tomorrow(60) } }),
      );
  await app.deliver();
  await publishRide(app, driver);
  await app.deliver();
  const emails = async () => (await Promise.all(owners.map(emailsTo))).flat().length;
  expect((await hitsOf(owners[0]!)).length + (await hitsOf(owners[1]!)).length).toBe(22);
  expect(await emails()).toBe(20);
  await app.scheduler.tick();
  await app.deliver();
  expect(await emails()).toBe(22);
});

test('a second ride is compared with alerts that the index keeps, and not with one that was deleted', async () => {
  const kept = await save(passenger, rideAlert());
  const other = await app.person('Gus');
  const gone = await save(other, rideAlert());
  const first = await publishRide(app, driver);
  await app.deliver();
  expect(await hitsOf(passenger)).toEqual([first.id]);
  await app.ok(other, deleteAlert, { id: gone.id });
  const second = await publishRide(app, await app.person('Ivo'));
  await app.deliver();
  expect((await hitsOf(passenger)).toSorted()).toEqual([first.id, second.id].toSorted());
  const hits = await app.platform.db.select().from(alertHits).where(eq(alertHits.rideId, second.id));
  expect(hits.map(({ alertId }) => alertId)).toEqual([kept.id]);
});

test('of a town in which many wait, windows of the hours of a ride are looked up, and not those of other days', async () => {
  const client = await app.pool.connect();
  try {
    await client.query(`
      set session_replication_role = replica;
      insert into alert_windows (alert_id, earliest_at, latest_at, reach)
        select md5('alert' || i)::uuid, at, at + interval '1 hour', place_box(-122.05 + i % 97 * 1e-3, 36.96 + i % 89 * 1e-3)
        from generate_series(1, 20000) i cross join lateral (select now() + i % 700 * interval '30 minutes' as at) at;
      set session_replication_role = origin; analyze alert_windows`);
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(`
      explain (analyze, buffers, format json) select from alert_windows
      where reach && reach_box(-122.03, 36.97, -121.95, 36.98, 3000)
        and tstzrange(earliest_at, latest_at, '[]') && tstzrange(now() + interval '40 hours', now() + interval '41 hours', '[]')`);
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
    expect(plan['Actual Rows']).toBeGreaterThan(50);
    // Each row is on a page of its own at most; the rest are a few pages of the index, which has some 250.
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']! - plan['Actual Rows']!).toBeLessThan(40);
    await client.query('rollback; delete from alert_windows where alert_id not in (select id from alerts)');
  } finally {
    client.release();
  }
});

test('a new alert of a driver looks up the requests around its way and in its hours, and no others', async () => {
  const { id } = await publishRequest(app, passenger, {});
  const others = (moved: string, count: number) =>
    app.pool.query(`
      insert into requests select other.* from requests r cross join generate_series(1, ${count}) i
        cross join lateral jsonb_populate_record(r, jsonb_build_object('id', md5(random() || ':' || i)::uuid, 'order_number', md5(random() || ':' || i), ${moved})) other
      where r.id = '${id}'`);
  await others(`'from_lon', r.from_lon + 5`, 3000);
  await others(
    `'earliest_at', r.earliest_at + interval '9 days', 'latest_at', r.latest_at + interval '9 days', 'arrive_by', r.arrive_by + interval '9 days'`,
    3000,
  );
  await app.pool.query('analyze requests');
  const texts = await statementsOf(async () => {
    await save(driver, requestAlert());
    await app.deliver();
  });
  expect(await hitsOf(driver)).toHaveLength(1);
  const text = texts.find((each) => /from "alerts" inner join "alert_windows"/.test(each))!;
  const { rows } = await app.pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const [, found] = /using requests_cells_times.*\n\s+(Index Cond: .*)/.exec(plan) ?? [];
  expect(found).toMatch(/floor.*floor.*earliest_at >=.*earliest_at <=.*latest_at >=/);
});
