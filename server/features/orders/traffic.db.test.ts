import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import {
  answerChange,
  askToJoin,
  orderDetail,
  proposeChange,
  quote,
  updateOrder,
} from '#contract/rides/endpoints.ts';
import type { Ride } from '#contract/rides/views.ts';
import { rides, rideStops } from '../../schema/rides.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';

// A Monday morning in Santa Cruz.
const app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
afterAll(() => app.close());

const { db } = app.platform;
/** Tuesday at an hour of Santa Cruz. */
const atHour = (hour: number) => new Date(Date.UTC(2026, 10, 24, 8) + hour * 3_600_000).toISOString();
const rowOf = async (id: string) => (await db.select().from(rides).where(eq(rides.id, id)))[0]!;
const stopsOf = (id: string) =>
  db.select().from(rideStops).where(eq(rideStops.rideId, id)).orderBy(rideStops.position);
const spanOf = async (id: string) => {
  const found = await db.execute<{ from: string; to: string }>(
    sql`select lower(during) as from, upper(during) as to from order_spans where order_id = ${id}`,
  );
  const { from, to } = found.rows[0]!;
  return { from: new Date(from), to: new Date(to) };
};
const between = (from: string | Date, to: string | Date) => new Date(to).getTime() - new Date(from).getTime();
/** A free drive at 17:00 on a weekday: 1.17 times as long, in whole milliseconds. */
const atFive = (freeMs: number) => Math.ceil((freeMs * 1170) / 1000);

test('the way through town takes what its hour takes, never less than on a free road; the advised share stays', async () => {
  const { westside: from, aptos: to } = spots;
  const ask = (hour: string | null) =>
    app.ok(null, quote, {
      fromLon: from.lon,
      fromLat: from.lat,
      toLon: to.lon,
      toLat: to.lat,
      ...(hour === null ? {} : { localHour: `2026-11-24T${hour}` }),
    });
  const free = await ask(null);
  const [night, morning, noon, evening] = await Promise.all(['03', '08', '12', '17'].map(ask));
  for (const each of [night!, morning!, noon!, evening!]) {
    expect(each.route.metres).toBe(free.route.metres);
    expect(each.route.line).toEqual(free.route.line);
    expect(each.route.seconds).toBeGreaterThanOrEqual(free.route.seconds);
    expect(each.advisedShareCents).toBe(free.advisedShareCents);
  }
  expect(night!.route.seconds).toBe(free.route.seconds);
  const times = [morning!, noon!, evening!].map(({ route }) => route.seconds / free.route.seconds);
  for (const [index, factor] of [1.15, 1.07, 1.17].entries()) expect(times[index]).toBeCloseTo(factor, 2);
  expect(
    await app.call(null, quote, {
      fromLon: from.lon,
      fromLat: from.lat,
      toLon: to.lon,
      toLat: to.lat,
      localHour: '2026-11-24T24',
    }),
  ).toMatchObject({ code: 422, data: { fields: { localHour: expect.any(String) } } });
});

test('a ride edited from 3 am to 5 pm takes longer in view, plan and span, and costs the same', async () => {
  const driver = await app.person('Driver');
  const via = [spots.capitola];
  const published = await publishRide(app, driver, { departsAt: atHour(3), flexMinutes: 10, via });
  const [before, stopsBefore] = [await rowOf(published.id), await stopsOf(published.id)];
  expect(before.trafficPermille).toBe(1000);
  const { from, to, seats, priceKind, costCents } = published;
  const order = {
    role: 'driver' as const,
    from,
    to,
    via,
    departsAt: atHour(17),
    flexMinutes: 10,
    seats,
    vehicleId: null,
    priceKind,
    costCents,
    maxDetourMinutes: 20,
    instant: false,
  };
  await app.ok(driver, updateOrder, { id: published.id, order });
  const after = await rowOf(published.id);
  expect(after).toMatchObject({ trafficPermille: 1170, driveMetres: before.driveMetres, costCents });
  const stops = await stopsOf(published.id);
  expect(stops.map(({ toNextMs }) => toNextMs)).toEqual(stopsBefore.map(({ toNextMs }) => atFive(toNextMs)));
  expect(after.driveMs).toBe(stops.reduce((sum, { toNextMs, standsMs }) => sum + toNextMs + standsMs, 0));
  expect(between(after.departsAt, after.arrivesAt)).toBe(after.driveMs);
  expect(between(after.latestDepartsAt, (await spanOf(published.id)).to)).toBe(after.driveMs);
  const seen = await app.ok(driver, orderDetail, { id: published.id });
  expect((seen.order as Ride).driveSeconds).toBe(Math.round(after.driveMs / 1000));
  const driven = stops.reduce((sum, { toNextMs }) => sum + toNextMs, 0);
  expect(seen.route!.seconds).toBe(Math.round(driven / 1000));
  expect(driven).toBeGreaterThan(stopsBefore.reduce((sum, { toNextMs }) => sum + toNextMs, 0) * 1.16);
});

test('a ride that others have joined and its driver moves from 3 am to 5 pm takes them along in that traffic', async () => {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver, { departsAt: atHour(3), instant: true });
  const request = await publishRequest(app, passenger, {
    earliestAt: atHour(2.5),
    latestAt: atHour(3.75),
  });
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const before = (await app.ok(driver, orderDetail, { id: ride.id })).order as Ride;
  const [aloneBefore, stopsBefore] = [(await rowOf(ride.id)).driveMs, await stopsOf(ride.id)];
  expect(before.stops.map(({ kind }) => kind)).toEqual(['start', 'pickup', 'dropoff', 'end']);

  const proposed = await app.ok(driver, proposeChange, {
    id: ride.id,
    departsAt: later14Hours(before.departsAt),
    costCents: 0,
    note: '',
  });
  const changeId = (proposed.order as Ride).change!.id;
  await app.ok(passenger, answerChange, { changeId, accept: true });

  const [after, stops] = [await rowOf(ride.id), await stopsOf(ride.id)];
  expect(after).toMatchObject({ trafficPermille: 1170, driveMs: atFive(aloneBefore) });
  expect(stops.map(({ toNextMs }) => toNextMs)).toEqual(stopsBefore.map(({ toNextMs }) => atFive(toNextMs)));
  const tookMs = stops.reduce((sum, { toNextMs, standsMs }) => sum + toNextMs + standsMs, 0);
  expect(between(after.departsAt, after.arrivesAt)).toBe(tookMs);
  expect((await spanOf(ride.id)).to.getTime()).toBeGreaterThanOrEqual(after.arrivesAt.getTime());
  const seen = (await app.ok(driver, orderDetail, { id: ride.id })).order as Ride;
  const inCar = ({ bookings: [only] }: Ride) => between(only!.pickup.at, only!.dropoff.at);
  expect(inCar(seen)).toBeGreaterThan(inCar(before));
  expect(seen.bookings[0]).toMatchObject({ state: 'joined', fareCents: 0 });
  // The passenger's span includes the drive and the walks at both ends.
  const own = await spanOf(request.id);
  expect(own.to.getTime()).toBeGreaterThanOrEqual(Date.parse(seen.bookings[0]!.dropoff.at));
});

const later14Hours = (iso: string) => new Date(Date.parse(iso) + 14 * 3_600_000).toISOString();
