import { setTimeout as sleep } from 'node:timers/promises';
import { and, count, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askToJoin, orderDetail } from '#contract/rides/endpoints.ts';
import { dayMs, hourMs, later } from '../../platform/clock.ts';
import { emitted } from '../../testing/emitted.ts';
import { bookings, moveHistory, orderSpans, requests, rides } from '../../schema/rides.ts';
import { openAccessFixture } from '../../testing/access-fixture.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { openRequest, openRide, publishRequest, publishRide } from '../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

const stateOf = async (who: TestPerson, id: string) => (await app.ok(who, orderDetail, { id })).order.state;
const inPieces = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / 500) }, (_, piece) =>
    rows.slice(piece * 500, (piece + 1) * 500),
  );

test('thousands of orders that were over before anyone asked end in batches, each once; those with an ask by themselves', async () => {
  const { db } = app.platform;
  const [driver, passenger] = [await app.person('Dora'), await app.person('Pat')];
  const ride = await publishRide(app, driver);
  const request = await publishRequest(app, passenger);
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const later3Days = later(app.clock.now(), 3 * dayMs);
  const coming = await publishRide(app, driver, { departsAt: later3Days.toISOString() });
  const other = await app.person('Many');
  const at = later(app.clock.now(), hourMs);
  const oldRequests = Array.from({ length: 2100 }, () =>
    openRequest({ passengerId: other.id, earliestAt: at }),
  );
  const oldRides = Array.from({ length: 450 }, () => openRide({ driverId: other.id, departsAt: at }));
  for (const rows of inPieces(oldRequests)) await db.insert(requests).values(rows);
  await db.insert(rides).values(oldRides);
  await db
    .insert(orderSpans)
    .values({ orderId: oldRides[0]!.id, personId: other.id, during: `[${at.toISOString()},infinity)` });
  const before = (await emitted(db)).length;
  app.clock.advance(30 * hourMs);
  await Promise.all([app.scheduler.tick(), app.scheduler.tick()]);

  const ofMany = [...oldRequests, ...oldRides].map(({ id }) => id);
  const ended = await db
    .select({ state: requests.state, rows: count() })
    .from(requests)
    .where(eq(requests.passengerId, other.id))
    .groupBy(requests.state);
  expect(ended).toEqual([{ state: 'expired', rows: 2100 }]);
  expect(await db.$count(rides, and(eq(rides.driverId, other.id), eq(rides.state, 'expired')))).toBe(450);
  for (const ids of inPieces(ofMany))
    expect(
      await db.$count(
        moveHistory,
        and(
          inArray(moveHistory.thingId, ids),
          eq(moveHistory.move, 'expire'),
          eq(moveHistory.actor, 'system'),
        ),
      ),
    ).toBe(ids.length);
  expect(await db.$count(orderSpans, eq(orderSpans.personId, other.id))).toBe(0);
  expect(await stateOf(driver, ride.id)).toBe('expired');
  expect(await stateOf(passenger, request.id)).toBe('expired');
  expect((await db.select().from(bookings).where(eq(bookings.rideId, ride.id)))[0]?.state).toBe('expired');
  expect(await stateOf(driver, coming.id)).toBe('matching');
  // One signal for many: who waits to hear of other things does not wait behind thousands.
  expect((await emitted(db)).length - before).toBeLessThan(40);
  await app.deliver();
});

test('a ride that hangs holds up neither asks nor requests', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const passenger = await app.person('Piet');
  const request = await publishRequest(app, passenger);
  const [driver, asking] = [await app.person('Dirk'), await app.person('Anna')];
  const ride = await publishRide(app, driver);
  const asked = await publishRequest(app, asking);
  await app.ok(asking, askToJoin, { rideId: ride.id, requestId: asked.id });
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from rides where id = $1 for update', [fixture.ride.id]);
    app.clock.moveTo(later(new Date(fixture.ride.departsAt), 2 * hourMs));
    app.scheduler.start();
    const isOver = async (who: TestPerson, id: string) => (await stateOf(who, id)) === 'expired';
    while (!(await isOver(passenger, request.id)) || !(await isOver(asking, asked.id))) await sleep(20);
    // Its own turn comes once it is free.
    expect(await stateOf(fixture.people.driver, fixture.ride.id)).toBe('matching');
    await client.query('commit');
    while ((await stateOf(fixture.people.driver, fixture.ride.id)) === 'matching') await sleep(20);
  } finally {
    await client.query('rollback');
    client.release();
    await app.scheduler.stop();
  }
});
