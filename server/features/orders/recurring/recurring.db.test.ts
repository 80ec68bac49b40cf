import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputOf } from '#contract/define.ts';
import { readOutbox } from '#contract/demo/endpoints.ts';
import {
  accept,
  askToJoin,
  cancelOrder,
  createOrder,
  listOrders,
  orderDetail,
  updateOrder,
} from '#contract/rides/endpoints.ts';
import {
  createPair,
  createSeries,
  endSeries,
  listSeries,
  seriesDetail,
  skipDay,
  updateSeries,
  type Series,
} from '#contract/rides/recurring.ts';
import type { Ride } from '#contract/rides/views.ts';
import { buildApp } from '../../../app.ts';
import { dayMs, hourMs, later } from '../../../platform/clock.ts';
import { users } from '../../../schema/identity.ts';
import { recurringRides } from '../../../schema/rides.ts';
import { testCacheFolder } from '../../../testing/cache-folder.ts';
import { publishRequest, publishRide, spots, type RideInput } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { loadRegion } from '../../geo/region.ts';
import { publishDue } from './publish-days.ts';

// Friday 23 October 2026, ten in the morning in Santa Cruz; clocks go back on 1 November.
const startsAt = new Date('2026-10-23T17:00:00Z');
const region = loadRegion({
  env: { REGION: 'santa-cruz', DATA_DIR: testCacheFolder },
});
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt, env: { DEMO: '1' }, region: await region });
});
afterAll(() => app.close());

type Weekly = InputOf<typeof createSeries>['series'];
type WeeklyRule = Weekly['rule'];
type WeeklyRide = Extract<Weekly['order'], { role: 'driver' }>;
type WeeklyRequest = Extract<Weekly['order'], { role: 'passenger' }>;
const driving: WeeklyRide = {
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
};
const riding: WeeklyRequest = {
  role: 'passenger',
  from: spots.downtown,
  to: spots.capitola,
  seats: 1,
  offerCents: null,
  flexMinutes: 30,
};
const back = { from: spots.aptos, to: spots.westside };
const shortly = (part: Partial<WeeklyRule> = {}): WeeklyRule => ({
  weekdays: [1, 3],
  localTime: '07:15',
  fromDay: app.clock.now().toISOString().slice(0, 10),
  untilDay: later(app.clock.now(), 60 * dayMs)
    .toISOString()
    .slice(0, 10),
  ...part,
});
const start = async (
  who: TestPerson,
  order: WeeklyRide | WeeklyRequest = driving,
  rule: Partial<WeeklyRule> = {},
) => {
  const input = { series: { order, rule: shortly(rule) } };
  return (await app.ok(who, createSeries, input)).series[0]!;
};
const look = async (who: TestPerson, { id }: { id: string }) =>
  (await app.ok(who, seriesDetail, { id })).series;
const states = (series: Series, count = 99) =>
  series.days.slice(0, count).map(({ day, state }) => `${day.slice(5)} ${state}`);
const open = (series: Series) => series.days.filter(({ state }) => state === 'open');
const rideOf = async (who: TestPerson, id: string) => (await app.ok(who, orderDetail, { id })).order as Ride;

test('days are published two weeks ahead at the same local time, each once, over restarts and jumps of the clock', async () => {
  app.clock.moveTo(startsAt);
  const driver = await app.person('Weekly');
  const series = await start(driver);
  expect(states(series, 6)).toEqual([
    '10-26 open',
    '10-28 open',
    '11-02 open',
    '11-04 open',
    '11-09 planned',
    '11-11 planned',
  ]);
  const first = await Promise.all(open(series).map(({ orderId }) => rideOf(driver, orderId!)));
  expect(first.map(({ departsAt }) => departsAt.slice(0, 16))).toEqual([
    '2026-10-26T14:15',
    '2026-10-28T14:15',
    '2026-11-02T15:15',
    '2026-11-04T15:15',
  ]);
  expect((await app.ok(driver, orderDetail, { id: first[0]!.id })).series).toEqual({
    id: series.id,
    day: '2026-10-26',
  });

  // Nothing is due; the next day is published exactly 14 days before it leaves, also by concurrent rounds.
  await publishDue(app.platform);
  expect(open(await look(driver, series))).toHaveLength(4);
  app.clock.moveTo(new Date('2026-10-26T15:14:59Z'));
  await publishDue(app.platform);
  expect(states(await look(driver, series), 6)).toContain('11-09 planned');
  app.clock.moveTo(new Date('2026-10-26T15:15:00Z'));
  // A second process on the same database, as after a restart.
  const { platform, clock, pool } = app;
  const second = await buildApp({ ...platform, clock, pool, region: await region, withRealtime: false });
  await Promise.all([
    publishDue(app.platform),
    second.scheduler.tick(),
    publishDue(app.platform),
    publishDue(second.platform),
  ]);
  expect(states(await look(driver, series), 6)).toContain('11-09 open');

  app.clock.moveTo(later(startsAt, 30 * dayMs));
  await Promise.all([publishDue(app.platform), second.scheduler.tick(), app.scheduler.tick()]);
  await second.http.close();
  // Past days are skipped; every day of the next two weeks is there, once.
  expect(states(await look(driver, series), 5)).toEqual([
    '11-23 open',
    '11-25 open',
    '11-30 open',
    '12-02 open',
    '12-07 planned',
  ]);
  const { orders } = await app.ok(driver, listOrders, { role: 'driver' });
  expect(orders).toHaveLength(9);
  expect(new Set(orders.map(({ departsAt }) => departsAt)).size).toBe(9);

  app.clock.moveTo(new Date('2026-12-23T08:00:00Z'));
  await publishDue(app.platform);
  expect(await app.ok(driver, listSeries, {})).toEqual({ series: [] });
});

test('a day left out or canceled stays out, and is taken in again when asked for', async () => {
  app.clock.moveTo(startsAt);
  const driver = await app.person('Except');
  const series = await start(driver);
  const [first, second, third] = series.days;
  const skip = (day: string, on = true) => app.call(driver, skipDay, { id: series.id, day, skip: on });
  expect(await skip(first!.day)).toMatchObject({ code: 200 });
  expect(await skip('2026-11-11')).toMatchObject({ code: 200 });
  await app.ok(driver, cancelOrder, { id: second!.orderId! });
  expect((await rideOf(driver, first!.orderId!)).state).toBe('cancel');
  app.clock.moveTo(new Date('2026-10-25T17:00:00Z'));
  await publishDue(app.platform);
  expect(states(await look(driver, series), 6)).toEqual([
    '10-26 skipped',
    '10-28 canceled',
    '11-02 open',
    '11-04 open',
    '11-09 planned',
    '11-11 skipped',
  ]);
  expect(await skip(first!.day, false)).toMatchObject({ code: 200 });
  expect(states(await look(driver, series), 1)).toEqual(['10-26 open']);
  expect(await skip('2026-10-27')).toMatchObject({ code: 404, reason: 'series.noDay' });

  // A passenger has joined: that day is canceled like any order, with its consequences, not skipped.
  const passenger = await app.person('Passenger');
  const at = Date.parse(third!.at);
  const request = await publishRequest(app, passenger, {
    earliestAt: new Date(at - hourMs / 2).toISOString(),
    latestAt: new Date(at + hourMs).toISOString(),
  });
  const asked = await app.ok(passenger, askToJoin, { rideId: third!.orderId!, requestId: request.id });
  await app.ok(driver, accept, { bookingId: asked.order.bookings[0]!.id });
  expect(await skip(third!.day)).toMatchObject({ code: 409, reason: 'series.dayMatched' });

  // All days later: a day that a passenger has joined keeps its time, the others follow.
  const later2 = { order: driving, rule: shortly({ localTime: '08:00', weekdays: [1] }) };
  const input = { id: series.id, series: later2 };
  const answer = await app.ok(driver, updateSeries, input);
  expect(answer).toMatchObject({ changed: 2, kept: 1 });
  expect(states(answer.series, 4)).toEqual([
    '10-26 open',
    '10-28 canceled',
    '11-02 matched',
    '11-09 planned',
  ]);
  const monday = await rideOf(driver, answer.series.days[0]!.orderId!);
  expect(monday.departsAt).toBe('2026-10-26T15:00:00.000Z');
  expect((await rideOf(driver, third!.orderId!)).departsAt).toBe('2026-11-02T15:15:00.000Z');

  // A day edited by itself no longer follows.
  const own = { ...driving, departsAt: '2026-10-26T17:00:00.000Z' };
  await app.ok(driver, updateOrder, { id: monday.id, order: own });
  const again = await app.ok(driver, updateSeries, input);
  expect(again).toMatchObject({ changed: 0, kept: 2 });
  expect((await rideOf(driver, monday.id)).departsAt).toBe(own.departsAt);

  const ended = await app.ok(driver, endSeries, { id: series.id });
  expect(ended).toMatchObject({ canceled: 1, kept: 1, series: { state: 'ended' } });
  expect((await rideOf(driver, third!.orderId!)).bookings[0]!.state).toBe('joined');
  expect(await app.call(driver, endSeries, { id: series.id })).toMatchObject({ reason: 'series.over' });
  const stranger = await app.person('Stranger');
  expect(await app.call(stranger, seriesDetail, { id: series.id })).toMatchObject({ code: 404 });
});

test('a day that cannot be published is told, shown, and tried again; a series counts as one order', async () => {
  app.clock.moveTo(startsAt);
  const driver = await app.person('Busy');
  await publishRide(app, driver, { departsAt: '2026-10-28T14:10:00.000Z' });
  const other = await publishRide(app, driver, { departsAt: '2026-11-11T15:10:00.000Z' });
  const series = await start(driver);
  expect(states(series, 2)).toEqual(['10-26 open', '10-28 refused']);
  expect(series.days[1]!.reason).toBe('order.overlap');
  app.clock.moveTo(new Date('2026-10-28T16:00:00Z'));
  await publishDue(app.platform);
  await app.deliver();
  expect((await look(driver, series)).days.at(0)).toMatchObject({ day: '2026-10-28', state: 'refused' });
  const refused = (await look(driver, series)).days.find(({ day }) => day === '2026-11-11');
  expect(refused).toMatchObject({ state: 'refused', reason: 'order.overlap', orderId: null });
  const { letters } = await app.ok(null, readOutbox, {});
  const told = letters.filter(({ to }) => to === driver.email);
  expect(told).toHaveLength(1);
  expect(told[0]!.text).toContain('Wed, Nov 11');
  expect(told[0]!.text).not.toContain('Oct 28');
  expect(told[0]!.text).toContain(`/pages/order/series?id=${series.id}`);

  const again = { id: series.id, day: '2026-11-11', skip: false };
  const stateThen = async () =>
    (await app.ok(driver, skipDay, again)).series.days.find(({ day }) => day === again.day)?.state;
  expect(await stateThen()).toBe('refused');
  await app.ok(driver, cancelOrder, { id: other.id });
  expect(await stateThen()).toBe('open');

  // 2 single rides and the series with its 5 days are three; 17 more, and no room for another one.
  app.clock.moveTo(startsAt);
  const full = await app.person('Full');
  await start(full, driving, { weekdays: [1, 2, 3, 4, 5] });
  for (let day = 0; day < 19; day += 1)
    await publishRide(app, full, {
      departsAt: later(startsAt, (day + 1) * dayMs + 3 * hourMs).toISOString(),
    });
  const another = { ...driving, departsAt: later(startsAt, 40 * dayMs).toISOString() };
  expect(await app.call(full, createOrder, { order: another })).toMatchObject({
    code: 422,
    reason: 'order.tooMany',
  });
  const input = { series: { order: driving, rule: shortly({ localTime: '22:00' }) } };
  expect(await app.call(full, createSeries, input)).toMatchObject({ reason: 'order.tooMany' });
});

test('there and back: linked, both or neither, each with its own seats and time', async () => {
  app.clock.moveTo(startsAt);
  const [driver, other] = [await app.person('There'), await app.person('Other')];
  const at = (hours: number) => later(startsAt, dayMs + hours * hourMs).toISOString();
  const pair = (home: Partial<RideInput>) => ({
    order: { ...driving, departsAt: at(0) },
    back: { ...driving, ...back, departsAt: at(8), seats: 2, ...home },
  });
  const made = await app.ok(driver, createPair, pair({}));
  expect([(made.order as Ride).seats, (made.back as Ride).seats]).toEqual([3, 2]);
  const there = await app.ok(driver, orderDetail, { id: made.order.id });
  expect(there.paired).toMatchObject({ id: made.back.id, seats: 2 });
  expect((await app.ok(other, orderDetail, { id: made.back.id })).paired?.id).toBe(made.order.id);
  const count = async () => (await app.ok(driver, listOrders, {})).total;
  const refusals = [
    [pair({ departsAt: at(0.1) }), 'order.backTooEarly', 'back.departsAt'],
    [pair({ to: spots.aptos }), 'place.same', 'back.to'],
    [pair({ departsAt: at(8.1) }), 'order.overlap', 'order.departsAt'],
  ] as const;
  for (const [input, reason, field] of refusals)
    expect(await app.call(driver, createPair, input)).toMatchObject({
      code: 422,
      reason,
      data: { fields: { [field]: expect.any(String) } },
    });
  expect(await count()).toBe(2);

  // Weekly requests there and back: the days find each other.
  const passenger = await app.person('Commuter');
  const both = await app.ok(passenger, createSeries, {
    series: { order: riding, rule: shortly() },
    back: {
      order: { ...riding, from: spots.capitola, to: spots.downtown },
      rule: shortly({ localTime: '17:30' }),
    },
  });
  expect(both.series.map(({ pairedId }) => pairedId)).toEqual([both.series[1]!.id, both.series[0]!.id]);
  const [out, home] = both.series.map(({ days }) => days[0]!.orderId!);
  const found = await app.ok(passenger, orderDetail, { id: out! });
  expect(found.paired).toMatchObject({ id: home, earliestAt: '2026-10-27T00:00:00.000Z' });
});

test('a night shift: back at six is the day after leaving at ten in the evening, also on the last day', async () => {
  app.clock.moveTo(startsAt);
  const driver = await app.person('Night');
  const rule = shortly({ weekdays: [5, 7], localTime: '22:00', untilDay: '2026-11-01' });
  const input = {
    series: { order: driving, rule },
    back: { order: { ...driving, ...back }, rule: { ...rule, localTime: '06:00' } },
  };
  const made = await app.ok(driver, createSeries, input);
  expect(made.series.map((series) => states(series))).toEqual([
    ['10-23 open', '10-25 open', '10-30 open', '11-01 open'],
    ['10-24 open', '10-26 open', '10-31 open', '11-02 open'],
  ]);
  const [out, home] = made.series.map(({ days }) => days.map(({ orderId }) => orderId!));
  // The clocks go back in the night of the last return: it still leaves at six local time.
  expect((await rideOf(driver, home![3]!)).departsAt).toBe('2026-11-02T14:00:00.000Z');
  const paired = async (id: string) => (await app.ok(driver, orderDetail, { id })).paired?.id;
  expect(await paired(out![0]!)).toBe(home![0]);
  expect(await paired(home![3]!)).toBe(out![3]);

  // A return within minutes of the outbound is still refused.
  const other = await app.person('Hasty');
  const hasty = { ...input, back: { ...input.back, rule: { ...rule, localTime: '22:05' } } };
  expect(await app.call(other, createSeries, hasty)).toMatchObject({
    code: 422,
    reason: 'order.backTooEarly',
  });
});

test.each([
  [{ weekdays: [] }, {}, 'series.rule.weekdays'],
  [{ untilDay: '2027-06-01' }, {}, 'rule.untilDay'],
  [{ untilDay: '2026-10-24' }, {}, 'rule.untilDay'],
  [{ localTime: '25:00' }, {}, 'series.rule.localTime'],
  [{}, { costCents: 49 }, 'order.costCents'],
  [{}, { costCents: 900 }, 'order.vehicleId'],
])('a series that cannot be is refused at once: %o %o', async (rule, order, field) => {
  app.clock.moveTo(startsAt);
  const driver = await app.person('Wrong');
  const input = { series: { order: { ...driving, ...order }, rule: shortly(rule) } };
  expect(await app.call(driver, createSeries, input)).toMatchObject({
    code: 422,
    data: { fields: { [field]: expect.any(String) } },
  });
  expect((await app.ok(driver, listSeries, {})).series).toEqual([]);
  expect((await app.ok(driver, listOrders, {})).total).toBe(0);
});

test('the days of a suspended owner wait behind those of others, and are published when they may again', async () => {
  app.clock.moveTo(startsAt);
  const driver = await app.person('Pausing');
  const series = await start(driver);
  const { db } = app.platform;
  const suspend = (suspendedAt: Date | null) =>
    db.update(users).set({ suspendedAt }).where(eq(users.id, driver.id));
  const dueAt = async () =>
    (await db.select().from(recurringRides).where(eq(recurringRides.id, series.id)))[0]!.dueAt!;
  app.clock.moveTo(later(await dueAt(), 1000));
  const before = open(await look(driver, series)).length;
  await suspend(app.clock.now());
  await publishDue(app.platform);
  const putOffTo = await dueAt();
  expect(putOffTo.getTime()).toBeGreaterThan(app.clock.now().getTime() + 590_000);
  await suspend(null);
  app.clock.moveTo(putOffTo);
  await publishDue(app.platform);
  expect(open(await look(driver, series))).toHaveLength(before + 1);
});
