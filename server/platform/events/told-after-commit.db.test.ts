import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readNews } from '#contract/notifications/endpoints.ts';
import { buildApp } from '../../app.ts';
import { loadRegion } from '../../features/geo/region.ts';
import { tellPeople } from '../../features/notifications/tell-people.ts';
import { chatMessages } from '../../schema/chat.ts';
import { openAccessFixture } from '../../testing/access-fixture.ts';
import { testCacheFolder } from '../../testing/cache-folder.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { databaseOf } from '../database/db.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

/** The changes sent to people with the app open. */
function hearLive(): string[] {
  const heard: string[] = [];
  vi.spyOn(app.platform.realtime, 'tell').mockImplementation((...told) => {
    const [userIds, event, said] = told;
    heard.push(...userIds.map((id) => `${id} ${event} ${JSON.stringify(said)}`));
  });
  return heard;
}

/** A second process on the same database, which delivers what the first has left behind. */
async function anotherProcess() {
  const { platform, clock, serverPool: pool } = app;
  const region = await loadRegion({ env: { REGION: 'santa-cruz', DATA_DIR: testCacheFolder } });
  return buildApp({ ...platform, clock, pool, region, withRealtime: false });
}

test('a process that ends between a commit and telling of it leaves what is to be told to the others', async () => {
  const { driver, passenger } = (await openAccessFixture(app, 'joined')).people;
  const heard = hearLive();
  // Nothing delivers here: as if the process had been killed right after each commit.
  await app.ok(passenger, readNews, { all: true });
  const about = { source: 'test', thing: 'order:1', otherId: null, facts: {}, path: '/' };
  await tellPeople(app.platform, [{ ...about, userId: driver.id, news: 'accepted' }]);
  expect(heard).toEqual([]);

  const other = await anotherProcess();
  await other.platform.outbox.deliverAll(app.serverPool, app.platform.log);
  const changed = (topic: string, id: string) =>
    heard.filter((line) => line.startsWith(`${id} changed`) && line.includes(`"topic":"${topic}"`));
  expect(changed('notification', passenger.id).length).toBeGreaterThan(0);
  expect(changed('notification', driver.id)).toEqual([expect.stringContaining('told.answer')]);
  await other.http.close();
});

test('a line of the ride that was written and not told is told again, and stands once', async () => {
  const fixture = await openAccessFixture(app, 'waiting');
  const roomId = fixture.ride.id;
  const lines = () => app.platform.db.$count(chatMessages, eq(chatMessages.roomId, roomId));
  const before = await lines();
  const failing = vi.spyOn(app.platform.realtime, 'tell').mockImplementation((...told) => {
    if (told[1] === 'message') throw new Error('killed');
  });
  const { platform } = app;
  await platform.transact('test', (tx) =>
    platform.outbox.emit(
      tx,
      'ride.moved',
      {
        rideId: roomId,
        move: 'reach',
        to: 'driver reached',
        driverId: fixture.people.driver.id,
        actor: 'driver',
      },
      roomId,
    ),
  );
  await app.deliver();
  expect(failing).toHaveBeenCalled();
  expect(await lines()).toBe(before + 1);
  vi.restoreAllMocks();
  const heard = hearLive();
  await platform.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
  await app.deliver();
  expect(heard.filter((line) => line.includes(' message ') && line.includes('reachStart'))).toHaveLength(2);
  expect(await lines()).toBe(before + 1);
});

test('who waited for the lock is heard after the one that had it, although it began first', async () => {
  const { outbox } = app.platform;
  const heard: string[] = [];
  outbox.on('event.moved', 'order test', async ({ payload }) => void heard.push(payload.eventId));
  const [hasBegun, isLocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // On the test's own connections: the server may have one alone.
  const db = databaseOf(app.pool);
  const lock = sql`select pg_advisory_xact_lock(4242)`;
  const waiting = db.transaction(async (tx) => {
    await tx.execute(sql`select now()`);
    hasBegun.resolve();
    await isLocked.promise;
    await tx.execute(lock);
    await outbox.emit(tx, 'event.moved', { eventId: 'waited for it' }, 'one ride');
  });
  await hasBegun.promise;
  await db.transaction(async (tx) => {
    await tx.execute(lock);
    isLocked.resolve();
    await outbox.emit(tx, 'event.moved', { eventId: 'had the lock' }, 'one ride');
  });
  await waiting;
  await app.deliver();
  expect(heard).toEqual(['had the lock', 'waited for it']);
  outbox.off('order test');
});

test('signals of one transaction are heard in the order in which it emitted them', async () => {
  const { outbox, db } = app.platform;
  const heard: number[] = [];
  outbox.on('event.moved', 'chain test', async ({ payload }) => void heard.push(Number(payload.eventId)));
  const chain = Array.from({ length: 40 }, (_, place) => place);
  await db.transaction(async (tx) => {
    for (const place of chain) await outbox.emit(tx, 'event.moved', { eventId: String(place) }, 'one thing');
  });
  await app.deliver();
  expect(heard).toEqual(chain);
  outbox.off('chain test');
});

test('a signal that fails lets those after it pass, and comes again', async () => {
  const { outbox, transact, db } = app.platform;
  const [heard, beside]: [string[], string[]] = [[], []];
  let isBroken = true;
  outbox.on('event.moved', 'broken test', async ({ payload: { eventId } }) => {
    if (eventId === 'broken' && isBroken) throw new Error('a listener failed');
    heard.push(eventId);
  });
  outbox.on('event.moved', 'beside test', async ({ payload }) => void beside.push(payload.eventId));
  for (const eventId of ['broken', 'next', 'last'])
    await transact('test', (tx) => outbox.emit(tx, 'event.moved', { eventId }, 'one ride'));
  await app.deliver();
  expect(heard).toEqual(['next', 'last']);
  isBroken = false;
  await db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
  await app.deliver();
  expect(heard).toEqual(['next', 'last', 'broken']);
  // The other listener had its turn: it is not called again.
  expect(beside).toEqual(['broken', 'next', 'last']);
  outbox.off('broken test');
  outbox.off('beside test');
});
