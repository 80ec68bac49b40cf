import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { statementsOf } from '../../testing/booking-statements.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { EventConsumers, hearAll, type Consumer } from './event-consumers.ts';
import { readByIndex, readLog } from './event-log.ts';
import { emitByCommand } from './outbox.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

const emit = (eventId: string) =>
  app.platform.transact((tx) => app.platform.outbox.emit(tx, 'event.moved', { eventId }, eventId));

/** A consumer, and the events that it has heard of. */
function listener(name: string): { consumer: Consumer; heard: string[] } {
  const heard: string[] = [];
  const consumer: Consumer = {
    name,
    savesLate: false,
    restMs: 0,
    wants: (signal) => signal.name === 'event.moved',
    hear: async (signals) => {
      heard.push(...signals.map(({ payload }) => (payload as { eventId: string }).eventId));
      return false;
    },
  };
  return { consumer, heard };
}

test('what a consumer hears to its end while cursors are being saved is saved soon after', async () => {
  const { promise: isSaving, resolve: noteSaving } = Promise.withResolvers<void>();
  const { promise: hasHeard, resolve: noteHeard } = Promise.withResolvers<void>();
  const consumer = (of: Pick<Consumer, 'name' | 'savesLate' | 'hear'>): Consumer => ({
    ...of,
    restMs: 0,
    wants: ({ name }) => name === 'event.moved',
  });
  const quick = consumer({ name: 'quick test', savesLate: false, hear: () => Promise.resolve(false) });
  const slow = consumer({
    name: 'slow test',
    savesLate: true,
    hear: async () => {
      await isSaving;
      noteHeard();
      return false;
    },
  });
  const query = Client.prototype.query as (...all: unknown[]) => Promise<unknown>;
  vi.spyOn(Client.prototype, 'query').mockImplementation(async function (this: Client, ...all: unknown[]) {
    const answer = query.apply(this, all);
    if ((all[0] as { name?: string }).name !== 'save-cursors-and-read-event-log') return answer;
    const saved = await answer;
    // The cursors as they were are written; the slow consumer comes to its end before that is known here.
    noteSaving();
    await hasHeard;
    await new Promise((resolve) => setImmediate(resolve));
    return saved;
  });
  const consumers = new EventConsumers(app.serverPool, app.platform.log, () => [quick, slow]);
  consumers.start();
  await app.platform.transact((tx) =>
    app.platform.outbox.emit(tx, 'event.moved', { eventId: crypto.randomUUID() }, 'one'),
  );
  const areAllPast = async () => {
    const { rows } = await app.platform.db.execute<{ past: boolean }>(sql`
      select bool_and(txid > (select max(txid) from event_log)) as past from event_cursors
      where consumer in ('quick test', 'slow test')`);
    return rows[0]!.past;
  };
  await hasHeard;
  await expect.poll(areAllPast, { timeout: 20_000 }).toBe(true);
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
    savesLate: true,
    restMs: 60_000,
    hear: (signals) => {
      batches.push(signals.length);
      return Promise.resolve(false);
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

test('the log of a database that comes from another cluster is heard, and what is committed here after it', async () => {
  const { consumer, heard } = listener('restored test');
  const names = ['heard before', 'left unheard', 'committed here'].map(() => crypto.randomUUID());
  await emit(names[0]!);
  await hearAll(app.pool, [consumer]);
  heard.length = 0;
  // All listeners read again what some of them had not read.
  await app.pool.query(`delete from event_cursors where consumer <> 'restored test'`);
  await emit(names[1]!);
  // What pg_dump copies: transaction ids that this cluster will not reach for a long time.
  for (const table of ['event_log', 'event_cursors'])
    await app.pool.query(`update ${table} set txid = (txid::text::bigint + 1000000000)::text::xid8`);
  await emit(names[2]!);
  await hearAll(app.pool, [consumer]);
  expect(heard.filter((id) => id === names[1])).toHaveLength(1);
  expect(heard.filter((id) => id === names[2])).toHaveLength(1);
  expect(heard).not.toContain(names[0]);
  await emit(names[0]!);
  await hearAll(app.pool, [consumer]);
  expect(heard.at(-1)).toBe(names[0]);
});

test('hearing all takes a look that opens cursors, and one that saves them and finds nothing more', async () => {
  const { consumer, heard } = listener('sparing test');
  await hearAll(app.pool, [consumer]);
  // While another database of the cluster has a transaction open, a look is followed by others that wait.
  await vi.waitFor(
    async () => {
      const event = crypto.randomUUID();
      await emit(event);
      heard.length = 0;
      const asked = await statementsOf(() => hearAll(app.pool, [consumer]));
      expect(heard).toEqual([event]);
      expect(asked).toHaveLength(2);
      expect(await statementsOf(() => hearAll(app.pool, [consumer]))).toHaveLength(1);
    },
    { timeout: 20_000 },
  );
});

test('a look reads the rows that it returns, however many lie before and behind them', async () => {
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ here: string }>(
      'select pg_current_xact_id()::text::bigint + 1000000 as here',
    );
    const here = BigInt(rows[0]!.here);
    await client.query(
      `insert into event_log (txid, items) select ($1::bigint + n)::text::xid8, '[]' from generate_series(-20000, 40000) n`,
      [String(here)],
    );
    const readIn = async (from: bigint, until: bigint) => {
      const count = async () => {
        const { rows: counted } = await client.query<{ read: string }>(
          `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read
           from pg_stat_xact_user_tables where relname like 'event_log%'`,
        );
        return Number(counted[0]!.read);
      };
      const before = await count();
      const { operations, isMoreCommitted } = await readLog(client, from, { horizon: until });
      return { read: (await count()) - before, found: operations.length, isMoreCommitted };
    };
    // By any connection, and also where the log is read through because it was never analyzed.
    const once = await readIn(here, here + 200n);
    expect(once.found).toBe(200);
    expect(once.read).toBeLessThan(4 * 60_000);

    await readByIndex(client);
    // The kept plan is made of the first looks.
    for (let look = 0n; look < 10n; look++) await readIn(here + look * 10n, here + look * 10n + 10n);
    const few = await readIn(here, here + 200n);
    expect(few).toMatchObject({ found: 200, isMoreCommitted: true });
    expect(few.read).toBeLessThan(2000);
    const many = await readIn(here, here + 40_000n);
    expect(many).toMatchObject({ found: 1000, isMoreCommitted: true });
    expect(many.read).toBeLessThan(5000);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
