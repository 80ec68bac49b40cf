import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rideStates } from '#contract/rides/moves.ts';
import { askToJoin, orderDetail } from '#contract/rides/endpoints.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import { rides } from '../../schema/rides.ts';
import { dueByRules, overlooked } from '../../testing/due-oracle.ts';
import { openRide, publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { lockedPlan } from './decide/fit.ts';
import { changeOrders } from './aggregate/locked-orders.ts';
import { ridesByIds } from './aggregate/queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

test('a ride of every state, at every instant around its day, is due by next_at whenever it is by the rules', async () => {
  const { db } = app.platform;
  const driver = await app.person('Dora');
  const now = app.clock.now();
  const minutes = [0, 29, 30, 31, 59, 60, 61, 179, 180, 181, 400];
  const around = [...minutes, ...minutes.slice(1).map((each) => -each)];
  const made = rideStates.flatMap((state) =>
    around.flatMap((fromNow) =>
      [0, 45].flatMap((flexible) =>
        [null, now].map((unclearAt) => {
          const departsAt = later(now, fromNow * minuteMs);
          return {
            ...openRide({ driverId: driver.id, departsAt }),
            state,
            unclearAt,
            latestDepartsAt: later(departsAt, flexible * minuteMs),
          };
        }),
      ),
    ),
  );
  for (let first = 0; first < made.length; first += 200)
    await db.insert(rides).values(made.slice(first, first + 200));
  const due = await dueByRules(db, now);
  expect(due.rides.length).toBeGreaterThan(50);
  expect(await overlooked(db, now)).toEqual({ rides: [], changes: [] });

  // Rides that are not due by the rules are checked too, once each, and lead to nothing.
  const looked = await db
    .select({ id: rides.id, state: rides.state })
    .from(rides)
    .where(sql`next_at <= ${now.toISOString()}`);
  const vain = looked.filter(({ id }) => !due.rides.includes(id));
  expect([...new Set(vain.map(({ state }) => state))].toSorted()).toEqual(['full', 'matching']);
  await db.update(rides).set({ state: 'cancel' }).where(eq(rides.driverId, driver.id));
  expect(await db.$count(rides, sql`next_at is not null`)).toBe(0);
});

test('a quiet ride is passed over in its last hour, and gathers at once when a passenger joins then', async () => {
  const { db, clock } = app.platform;
  const [driver, passenger] = [await app.person('Quinn'), await app.person('Pia')];
  const ride = await publishRide(app, driver, { instant: true });
  const request = await publishRequest(app, passenger);
  const nextAt = async () =>
    (await db.select({ at: rides.nextAt }).from(rides).where(eq(rides.id, ride.id)))[0]!.at?.getTime();
  const departsMs = new Date(ride.departsAt).getTime();
  expect(await nextAt()).toBe(departsMs - hourMs);
  app.clock.advance(departsMs - clock.now().getTime() - 50 * minuteMs);
  await app.scheduler.tick();
  const [row] = await db.select().from(rides).where(eq(rides.id, ride.id));
  const ends = row!.latestDepartsAt.getTime() + 30 * minuteMs;
  expect(await nextAt()).toBe(row!.latestDepartsAt > row!.departsAt ? departsMs : ends);
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  expect((await app.ok(driver, orderDetail, { id: ride.id })).order.state).toBe('waiting');
  expect(await overlooked(db, clock.now())).toEqual({ rides: [], changes: [] });
});

test('a ride that is empty again after its departure, with time left, puts the departure off', async () => {
  const { db, clock } = app.platform;
  const driver = await app.person('Flo');
  const departsAt = later(clock.now(), 3 * hourMs);
  const ride = await publishRide(app, driver, { departsAt: departsAt.toISOString(), flexMinutes: 60 });
  // The check at the departure has found a reserved seat: the next one is at the end.
  await db
    .update(rides)
    .set({ nextAt: later(departsAt, 90 * minuteMs) })
    .where(eq(rides.id, ride.id));
  app.clock.advance(departsAt.getTime() - clock.now().getTime() + minuteMs);
  expect((await overlooked(db, clock.now())).rides).toEqual([ride.id]);
  await changeOrders(app.platform, 'test', async (tx) => {
    const row = await tx.lockRide(ride.id);
    tx.savePlan(ride.id, lockedPlan(tx, row!));
  });
  expect(await overlooked(db, clock.now())).toEqual({ rides: [], changes: [] });
  await app.scheduler.tick();
  const [moved] = await ridesByIds(app.platform.db, [ride.id]);
  expect(moved!.departsAt.getTime()).toBeGreaterThan(clock.now().getTime());
});
