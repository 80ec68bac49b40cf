import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { EventConsumers, hearAll, type Consumer } from './event-consumers.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

test('what a consumer hears to its end while cursors are being saved is saved soon after', async () => {
  const { promise: isSaving, resolve: noteSaving } = Promise.withResolvers<void>();
  const { promise: hasHeard, resolve: noteHeard } = Promise.withResolvers<void>();
  const consumer = (of: Pick<Consumer, 'name' | 'savesLate' | 'hear'>): Consumer => ({
    ...of,
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
    if ((all[0] as { name?: string }).name !== 'save-event-cursors') return answer;
    await answer;
    // The cursors as they were are written; the slow consumer comes to its end before that is known here.
    noteSaving();
    await hasHeard;
    await new Promise((resolve) => setImmediate(resolve));
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

test('the log of a database that comes from another cluster is heard, and what is committed here after it', async () => {
  const emit = (eventId: string) =>
    app.platform.transact((tx) => app.platform.outbox.emit(tx, 'event.moved', { eventId }, eventId));
  const heard: string[] = [];
  const consumer: Consumer = {
    name: 'restored test',
    savesLate: false,
    wants: ({ name }) => name === 'event.moved',
    hear: async (signals) => {
      heard.push(...signals.map(({ payload }) => (payload as { eventId: string }).eventId));
      return false;
    },
  };
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
