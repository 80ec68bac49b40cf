import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { EventConsumers, type Consumer } from './event-consumers.ts';

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
  const consumers = new EventConsumers(app.pool, app.platform.log, () => [quick, slow]);
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
