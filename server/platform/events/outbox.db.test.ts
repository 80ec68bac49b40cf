import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAgain } from '../database/db.ts';
import { paragraph } from '../messages/email-blocks.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  await app.platform.outbox.stop();
  await app.close();
});

test('what a killed process was delivering is delivered by the others; what one that lives delivers is left to it', async () => {
  const { db, outbox, log } = app.platform;
  await outbox.start(app.pool, log);
  /** As a process leaves it that is delivering the email, or has died with it in its hands. */
  const takenBy = (worker: string, to: string) =>
    db.transaction(async (tx) => {
      await outbox.post(tx, { to, language: 'en', subject: 'Hello', blocks: [paragraph('There')] });
      await tx.execute(sql`
        update graphile_worker._private_jobs set locked_at = now() - interval '1 minute', locked_by = ${worker}
        where payload ->> 'to' = ${to}`);
    });
  const delivered = async () =>
    (await db.select().from(outboxMessages)).map(({ recipient }) => recipient).toSorted();

  const living = await app.pool.connect();
  await living.query("select pg_advisory_lock(7302004, hashtext('worker-that-lives'))");
  await takenBy('worker-that-lives', 'slow@example.com');
  await takenBy('worker-of-the-dead', 'first@example.com');
  await expect.poll(delivered, { timeout: 20_000 }).toEqual(['first@example.com']);
  living.release(true);
  await expect.poll(delivered, { timeout: 20_000 }).toEqual(['first@example.com', 'slow@example.com']);
}, 90_000);

test('whoever delivers says so again when its connection is gone', async () => {
  const { db } = app.platform;
  const held = async () => {
    const { rows } = await db.execute<{ pid: number; count: string }>(
      sql`select pid, count(*) from pg_locks where locktype = 'advisory' and classid = 7302004
          and database = (select oid from pg_database where datname = current_database()) group by pid`,
    );
    return rows.map(({ pid, count }) => ({ pid, runners: Number(count) }));
  };
  await expect.poll(held).toEqual([{ pid: expect.any(Number) as number, runners: 1 }]);
  const before = await held();
  await db.execute(sql`select pg_terminate_backend(${before[0]!.pid})`);
  await expect
    .poll(async () => (await held()).filter(({ pid }) => pid !== before[0]!.pid), { timeout: 20_000 })
    .toEqual([{ pid: expect.any(Number) as number, runners: 1 }]);
}, 60_000);

test('what is being delivered slowly is delivered once: its process lives', async () => {
  const { db, outbox } = app.platform;
  const heard: string[] = [];
  const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
  outbox.on('profile.changed', 'slow test', async ({ payload }) => {
    heard.push(payload.userId);
    await slow;
  });
  const userId = crypto.randomUUID();
  await db.transaction((tx) => outbox.emit(tx, 'profile.changed', { userId }, userId));
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual([userId]);
  // As if it had been taken long ago: a process that looks finds the lock of a runner that lives.
  const held = sql`select locked_by from graphile_worker.jobs where locked_at is not null`;
  const [{ locked_by: holder }] = (await db.execute<{ locked_by: string }>(held)).rows as [
    { locked_by: string },
  ];
  const locked = await db.execute(
    sql`select from pg_locks where locktype = 'advisory' and classid = 7302004
        and objid::bigint = hashtext(${holder})::bigint & 4294967295`,
  );
  expect(locked.rowCount).toBe(1);
  goOn();
  await expect.poll(async () => (await db.execute(held)).rowCount, { timeout: 20_000 }).toBe(0);
  expect(heard).toEqual([userId]);
  outbox.off('slow test');
}, 60_000);

test('connections are cut while jobs are delivered: the process lives, and each signal is heard, in order for one thing', async () => {
  const { db, outbox } = app.platform;
  const heard = new Map<string, number[]>();
  outbox.on('event.changed', 'cut test', async ({ payload }) => {
    heard.set(payload.eventId, [...(heard.get(payload.eventId) ?? []), Number(payload.organiserId)]);
  });
  const things = Array.from({ length: 8 }, () => crypto.randomUUID());
  const cut = () =>
    app.pool
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      .catch(() => undefined);
  for (let round = 0; round < 12; round++) {
    for (const eventId of things) {
      const payload = { eventId, organiserId: String(round), travellers: [], what: 'details' as const };
      await readAgain(() => db.transaction((tx) => outbox.emit(tx, 'event.changed', payload, eventId)));
    }
    await cut();
  }
  const firsts = () => things.map((id) => [...new Set(heard.get(id) ?? [])]);
  const all = Array.from({ length: 12 }, (_, round) => round);
  await expect.poll(firsts, { timeout: 90_000 }).toEqual(things.map(() => all));
  outbox.off('cut test');
}, 150_000);

test('whatever is emitted, few names of queues are made, and those of earlier versions are dropped', async () => {
  const { db, outbox } = app.platform;
  for (let thing = 0; thing < 300; thing++)
    await db.transaction((tx) => {
      const userId = crypto.randomUUID();
      return outbox.emit(tx, 'profile.changed', { userId }, userId);
    });
  const names = await db.execute(sql`select queue_name from graphile_worker._private_job_queues`);
  expect(names.rowCount).toBeLessThanOrEqual(64);
});
