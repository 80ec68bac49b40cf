import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { openRequestStates } from '#contract/rides/moves.ts';
import { newDataFolder, startServer } from '../e2e/server.ts';
import { buildApp, type BuiltApp } from '../server/app.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { rideById } from '../server/features/orders/store.ts';
import { hourMs, later, minuteMs, MovableClock, secondMs } from '../server/platform/clock.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { sqlWords } from '../server/platform/database/sql-words.ts';
import { readEnv } from '../server/platform/env.ts';
import { notifications } from '../server/schema/notifications.ts';
import { bookings, requests, rides } from '../server/schema/rides.ts';
import { openRequest, openRide, spots } from '../server/testing/orders.ts';
import { newPerson } from '../server/testing/people.ts';
import { percentile, rounded, say } from './bench-app.ts';
import { makeRides, Reading } from './outage.ts';

/**
 * One of this many requests has asked to join a ride: each of those concerns two people and ends by itself.
 */
const asksEvery = 50;
const insertedAtOnce = 1000;
const giveUpAfterMs = 60 * minuteMs;

/**
 * `--count` (100,000) rides, requests and asks whose time was over while no server ran, written to the tables
 * directly. A real server process starts; people read meanwhile, and four rides go on that people have
 * joined: one leaves within the hour, so its day begins and its people are reminded.
 */
export async function benchExpiries(options: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const count = Number(options['count'] ?? 100_000);
  const { folder, remove } = newDataFolder();
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', REGION: 'santa-cruz', DATA_DIR: folder });
  const log = pino({ level: 'silent' });
  const database = await openDatabase(env, { onError: () => undefined });
  const { pool } = database;
  const clock = new MovableClock();
  const app = await buildApp({
    env,
    log,
    clock,
    region: await loadRegion({ env }),
    pool,
    withRealtime: false,
  });
  try {
    await app.http.ready();
    clock.advance(-2 * hourMs);
    const pairs = await makeRides({ ...app, clock }, 4, later(new Date(), 30 * minuteMs));
    await app.platform.outbox.deliverAll(pool, log);
    clock.moveTo(null);
    say(`Writing ${count} orders that are over …`);
    const asks = await insertOver(app, count);
    await pool.query('analyze');
    const server = await startServer(folder, { DEMO: '0' });
    const reading = new Reading(server.url, pairs);
    const startedAt = performance.now();
    const seconds = () => rounded((performance.now() - startedAt) / secondMs);
    const after: Record<string, number> = {};
    const note = (what: string, isSo: boolean) => {
      if (isSo && after[what] === undefined) after[what] = seconds();
    };
    try {
      while (after['allSeconds'] === undefined && performance.now() - startedAt < giveUpAfterMs) {
        await sleep(200);
        const left = await countLeft(app);
        note('gatheredSeconds', (await rideById(app.platform.db, pairs[0]!.rideId))?.state === 'waiting');
        note(
          'remindedSeconds',
          (await app.platform.db.$count(notifications, eq(notifications.word, 'hourBefore'))) === 2,
        );
        note('ordersSeconds', left.orders <= 2 * asks);
        note('allSeconds', left.orders === 0 && left.asks === 0 && left.due === 0);
      }
      const readMs = reading.take();
      return {
        expiries: count,
        asks,
        ...after,
        reads: readMs.length,
        readsFailed: reading.failed,
        readP50Ms: rounded(percentile(readMs, 0.5)),
        readP99Ms: rounded(percentile(readMs, 0.99)),
      };
    } finally {
      await reading.stop();
      await server.kill();
    }
  } finally {
    await app.http.close();
    await database.close();
    remove();
  }
}

/** Writes rides and requests that are over, some with an ask between them; how many asks. */
async function insertOver({ platform }: BuiltApp, count: number): Promise<number> {
  const { db } = platform;
  const [driver, passenger] = [
    await newPerson(platform, 'Many rides'),
    await newPerson(platform, 'Many requests'),
  ];
  const at = later(platform.clock.now(), -6 * hourMs);
  let asks = 0;
  for (let done = 0; done < count; done += insertedAtOnce) {
    const size = Math.min(insertedAtOnce, count - done);
    const requestRows = Array.from({ length: Math.ceil(size / 2) }, (_, index) => ({
      ...openRequest({ passengerId: passenger.id, earliestAt: at }),
      ...(index % asksEvery === 0 ? { state: 'requesting' as const } : {}),
    }));
    const rideRows = Array.from({ length: Math.floor(size / 2) }, () =>
      openRide({ driverId: driver.id, departsAt: at }),
    );
    await db.insert(requests).values(requestRows);
    await db.insert(rides).values(rideRows);
    const asking = requestRows.flatMap((request, index) =>
      request.state === 'requesting' ? [{ requestId: request.id, rideId: rideRows[index]!.id }] : [],
    );
    asks += asking.length;
    await db
      .insert(bookings)
      .values(asking.map((pair) => ({ ...askOf(pair, at), driverId: driver.id, passengerId: passenger.id })));
  }
  return asks;
}

const askOf = (pair: { rideId: string; requestId: string }, at: Date) => ({
  id: crypto.randomUUID(),
  ...pair,
  state: 'requesting' as const,
  startedBy: 'passenger' as const,
  seats: 1,
  pickupLon: spots.westside.lon,
  pickupLat: spots.westside.lat,
  dropoffLon: spots.capitola.lon,
  dropoffLat: spots.capitola.lat,
  pickupWalkMetres: 0,
  dropoffWalkMetres: 0,
  pickupAt: at,
  dropoffAt: at,
  fareCents: 0,
  detourMs: 0,
  detourMetres: 0,
  expiresAt: at,
  createdAt: later(at, -hourMs),
});

const mostCounted = 1_000_000;

/** Orders and asks that are over and still open, and what waits to be heard. */
async function countLeft({
  platform: { db, outbox },
}: BuiltApp): Promise<{ orders: number; asks: number; due: number }> {
  const { rows } = await db.execute<{ orders: number; asks: number }>(sql`
    select (select count(*) from requests where state in ${sqlWords(openRequestStates)} and latest_at < now())::int
        + (select count(*) from rides where state = 'matching' and latest_departs_at < now() - interval '30 minutes')::int as orders,
      (select count(*) from bookings where state = 'requesting')::int as asks`);
  return { ...rows[0]!, due: await outbox.waiting(db, mostCounted) };
}
