import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { databaseOf } from '../database/db.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { EventConsumers, hearAll, type Consumer } from './event-consumers.ts';
import { isAnythingAfter, numberLog, readLog } from './event-log.ts';
import { emitByCommand } from './outbox.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

const emit = (eventId: string) =>
  app.platform.transact('emit', (tx) => app.platform.outbox.emit(tx, 'event.moved', { eventId }, eventId));

/** A consumer, and the events that it has heard of. */
function listener(name: string): { consumer: Consumer; heard: string[] } {
  const heard: string[] = [];
  const consumer: Consumer = {
    name,
    restMs: 0,
    wants: (signal) => signal.name === 'event.moved',
    hear: async (signals) => {
      heard.push(...signals.map(({ payload }) => (payload as { eventId: string }).eventId));
    },
  };
  return { consumer, heard };
}

test('cursors are saved within seconds, also of a consumer that takes long to hear', async () => {
  const { promise: isSlow, resolve: goOn } = Promise.withResolvers<void>();
  const [quick, slow] = [listener('quick test').consumer, listener('slow test').consumer];
  const consumers = new EventConsumers(app.serverPool, app.platform.log, () => [
    quick,
    { ...slow, hear: () => isSlow },
  ]);
  consumers.start();
  await emit(crypto.randomUUID());
  const past = async () => {
    const { rows } = await app.platform.db.execute<{ consumer: string }>(sql`
      select consumer from event_cursors
      where consumer in ('quick test', 'slow test') and seq >= (select max(seq) from event_log) order by consumer`);
    return rows.map(({ consumer }) => consumer);
  };
  await expect.poll(past, { timeout: 20_000 }).toEqual(['quick test']);
  goOn();
  await expect.poll(past, { timeout: 20_000 }).toEqual(['quick test', 'slow test']);
  await consumers.stop();
}, 60_000);

test('a command that writes to the log notifies the process that reads it', async () => {
  const { consumer, heard } = listener('notified test');
  await hearAll(app.pool, [consumer]);
  const consumers = new EventConsumers(app.serverPool, app.platform.log, () => [consumer], { isAlone: true });
  consumers.start();
  await expect
    .poll(
      async () =>
        (await app.pool.query(`select from pg_locks where classid = 0 and objid = 7302006`)).rowCount,
    )
    .toBe(1);
  const nudged = vi.spyOn(consumers, 'nudge');
  const eventId = crypto.randomUUID();
  await emitByCommand(
    app.platform.db,
    { name: 'event.moved', payload: { eventId }, key: eventId },
    new Date(),
  );
  await expect.poll(() => nudged.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await expect.poll(() => heard, { timeout: 20_000 }).toContain(eventId);
  await consumers.stop();
}, 60_000);

test('a consumer that rests hears what comes meanwhile together, and the rest of it when the process ends', async () => {
  const batches: number[] = [];
  const resting: Consumer = {
    ...listener('resting test').consumer,
    restMs: 60_000,
    hear: (signals) => {
      batches.push(signals.length);
      return Promise.resolve();
    },
  };
  const quick = listener('beside it test');
  // New ones begin where others are.
  await hearAll(app.pool, [resting, quick.consumer]);
  batches.length = quick.heard.length = 0;
  const consumers = new EventConsumers(app.serverPool, app.platform.log, () => [resting, quick.consumer]);
  consumers.start();
  await emit(crypto.randomUUID());
  await expect.poll(() => batches, { timeout: 20_000 }).toEqual([1]);
  for (let nth = 2; nth <= 4; nth++) {
    await emit(crypto.randomUUID());
    await expect.poll(() => quick.heard.length, { timeout: 20_000 }).toBe(nth);
  }
  expect(batches).toEqual([1]);
  await consumers.stop();
  expect(batches).toEqual([1, 3]);
  // Its cursor is past all of it: the next process has nothing to hear again.
  await hearAll(app.pool, [resting]);
  expect(batches).toEqual([1, 3]);
}, 60_000);

test('a row that is committed late, with a lower id than others, is heard after them', async () => {
  const { consumer, heard } = listener('late test');
  await hearAll(app.pool, [consumer]);
  heard.length = 0;
  const { promise: isHeard, resolve: goOn } = Promise.withResolvers<void>();
  const [early, late] = [crypto.randomUUID(), crypto.randomUUID()];
  const { promise: hasWritten, resolve: noteWritten } = Promise.withResolvers<void>();
  const writing = databaseOf(app.pool).transaction(async (tx) => {
    await emitByCommand(tx, { name: 'event.moved', payload: { eventId: late }, key: late }, new Date());
    noteWritten();
    await isHeard;
  });
  await hasWritten;
  await emit(early);
  await hearAll(app.pool, [consumer]);
  const before = [...heard];
  goOn();
  await writing;
  await hearAll(app.pool, [consumer]);
  expect([before, heard]).toEqual([[early], [early, late]]);
});

test('of processes that number the log at the same moment, none makes a row visible behind what another has read', async () => {
  const { consumer, heard } = listener('numbering test');
  await hearAll(app.pool, [consumer]);
  heard.length = 0;
  const names = Array.from({ length: 200 }, () => crypto.randomUUID());
  const rounds = async () => {
    for (let round = 0; round < 60; round++) await numberLog(app.pool);
  };
  const emitting = Promise.all(names.map((name) => emit(name)));
  const hearing = (async () => {
    for (let round = 0; round < 30; round++) await hearAll(app.pool, [consumer]);
  })();
  await Promise.all([emitting, rounds(), rounds(), hearing]);
  await hearAll(app.pool, [consumer]);
  expect(heard.toSorted()).toEqual(names.toSorted());
});

test('a poll reads the rows that it returns, however many lie before them', async () => {
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into event_log (seq, items) select 1000000 + n, '[]' from generate_series(1, 60000) n`,
    );
    await client.query(`insert into event_log (items) select '[]' from generate_series(1, 100)`);
    await client.query('analyze event_log');
    const readBy = async (work: () => Promise<unknown>) => {
      const count = async () => {
        const { rows } = await client.query<{ read: string }>(
          `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read
           from pg_stat_xact_user_tables where relname like 'event_log%'`,
        );
        return Number(rows[0]!.read);
      };
      const before = await count();
      await work();
      return (await count()) - before;
    };
    // PostgreSQL switches to a generic plan after five executions: the tenth uses it at any position.
    for (let time = 1; time <= 10; time++)
      expect(await readBy(() => readLog(client, 1_030_000 + time))).toBeLessThan(2000);
    expect(await readBy(() => isAnythingAfter(client, 1_060_000))).toBeLessThan(10);
    expect(await readBy(() => numberLog(client))).toBeLessThan(2000);
    expect(await readLog(client, 1_059_990)).toHaveLength(10);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
