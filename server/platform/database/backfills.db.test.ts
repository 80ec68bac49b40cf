import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { events } from '../../schema/events.ts';
import { bookings } from '../../schema/rides.ts';
import { createEvent } from '#contract/events/endpoints.ts';
import { askToJoin } from '#contract/rides/endpoints.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { dayMs } from '../clock.ts';
import { noMetrics } from '../observability/metrics.ts';
import { scheduleBackfills, type Backfill } from './backfills.ts';
import { readSetting } from './settings.ts';

let app: TestApp;
const startsAt = new Date('2026-11-23T17:00:00Z');
beforeEach(async () => (app = await openTestApp({ startsAt })));
afterEach(() => app.close());

/** Fills 1 to 5, two at a time, and records its calls. */
function counting(fails: (after: string | null) => boolean = () => false) {
  const asked: (string | null)[] = [];
  const backfill: Backfill = {
    name: 'counting',
    async fillPage(_tx, after) {
      asked.push(after);
      if (fails(after)) throw new Error('killed');
      const first = Number(after ?? 0);
      const last = Math.min(5, first + 2);
      return last === first ? { last: null, filled: 0 } : { last: String(last), filled: last - first };
    },
  };
  const task = scheduleBackfills({ ...app.platform, metrics: noMetrics }, [backfill]);
  return { asked, run: () => runUntilDone(task.run, () => asked.length) };
}

/** A round is short: on a busy machine it ends before its work does. */
async function runUntilDone(run: () => Promise<void>, done: () => number): Promise<void> {
  for (let before = -1; before !== done();) {
    before = done();
    await run();
  }
}

test('rows are filled page after page; a second pass comes a day later, and no third', async () => {
  const { asked, run } = counting();
  await run();
  expect(asked).toEqual([null, '2', '4', '5']);
  await run();
  expect(asked).toHaveLength(4);
  app.clock.advance(dayMs);
  await run();
  expect(asked.slice(4)).toEqual([null, '2', '4', '5']);
  app.clock.advance(dayMs);
  await run();
  expect(asked).toHaveLength(8);
  expect(await readSetting(app.platform.db, 'backfill.counting')).toMatchObject({ passes: 2, filled: 10 });
});

test('a backfill that waits for its second pass, or has had it, asks for nothing', async () => {
  const { run, asked } = counting();
  for (const passes of [1, 2]) {
    await run();
    expect(await statementsOf(run)).toEqual([]);
    expect(asked).toHaveLength(passes * 4);
    app.clock.advance(dayMs);
  }
});

test('a killed backfill resumes where it was, in another process too', async () => {
  const killed = counting((after) => after === '4');
  await expect(killed.run()).rejects.toThrow('killed');
  const next = counting();
  await next.run();
  expect(next.asked).toEqual(['4', '5']);
  expect(await readSetting(app.platform.db, 'backfill.counting')).toMatchObject({ filled: 5 });
});

test('earlier bookings and events get the region in which they began; new ones have it from the start', async () => {
  const [driver, passenger] = [await app.person('Driver'), await app.person('Passenger')];
  const ride = await publishRide(app, driver, { maxDetourMinutes: 15 });
  const request = await publishRequest(app, passenger);
  await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
  const { db } = app.platform;
  const regions = () => db.selectDistinct({ region: bookings.regionId }).from(bookings);
  expect(await regions()).toEqual([{ region: 'santa-cruz' }]);
  await db.update(bookings).set({ regionId: '' }).where(eq(bookings.rideId, ride.id));
  await app.ok(driver, createEvent, {
    name: 'Swap meet',
    place: spots.aptos,
    starts: '2026-11-28T18:00',
    ends: '2026-11-28T21:00',
  });
  expect(await db.$count(events, eq(events.regionId, 'santa-cruz'))).toBe(1);
  await db.update(events).set({ regionId: '' });
  const { orders, alerts, events: of } = app.features;
  const all = [...orders.backfills, ...alerts.backfills, ...of.calendar.backfills];
  const task = scheduleBackfills({ ...app.platform, metrics: noMetrics }, all);
  for (let round = 0; round < 10; round++) await task.run();
  expect(await regions()).toEqual([{ region: 'santa-cruz' }]);
  expect(await db.selectDistinct({ region: events.regionId }).from(events)).toEqual([
    { region: 'santa-cruz' },
  ]);
});
