import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAgain } from '../database/db.ts';
import { paragraph } from '../messages/email-blocks.ts';
import { eventLog, outboxMessages } from '../../schema/platform.ts';
import { emitted } from '../../testing/emitted.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { EventConsumers } from './event-consumers.ts';

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
  await outbox.start(app.serverPool, log);
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

test('a process that delivers says so again when its connection is gone', async () => {
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
  await app.pool.query('select pg_terminate_backend($1)', [before[0]!.pid]);
  await expect
    .poll(async () => (await held()).filter(({ pid }) => pid !== before[0]!.pid), { timeout: 20_000 })
    .toEqual([{ pid: expect.any(Number) as number, runners: 1 }]);
}, 60_000);

test('one process reads the log; another takes over when its connection ends, and what was being heard comes again', async () => {
  const { db, outbox, log } = app.platform;
  const heard: string[] = [];
  const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
  outbox.on('profile.changed', 'slow test', async ({ payload }) => {
    heard.push(payload.userId);
    await slow;
  });
  const beside: string[] = [];
  const consumer = {
    name: 'slow test',
    wants: ({ name }: { name: string }) => name === 'profile.changed',
    restMs: 0,
    hear: (signals: readonly { payload: unknown }[]) => {
      beside.push(...signals.map(({ payload }) => (payload as { userId: string }).userId));
      return Promise.resolve();
    },
  };
  const other = new EventConsumers(app.serverPool, log, () => [consumer]);
  other.start();
  const userId = crypto.randomUUID();
  await db.transaction((tx) => outbox.emit(tx, 'profile.changed', { userId }, userId));
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual([userId]);
  const readers = () =>
    db.execute<{ pid: number }>(sql`
      select pid from pg_locks where locktype = 'advisory' and objid = 7302006 and granted
        and database = (select oid from pg_database where datname = current_database())`);
  const [{ pid }] = (await readers()).rows as [{ pid: number }];
  // Long enough for more than one attempt to become the reader.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(beside).toEqual([]);
  expect((await readers()).rows).toEqual([{ pid }]);
  await app.pool.query('select pg_terminate_backend($1)', [pid]);
  await expect.poll(() => beside.length + heard.length, { timeout: 20_000 }).toBeGreaterThan(1);
  goOn();
  await other.stop();
  outbox.off('slow test');
}, 60_000);

test('connections are cut while jobs are delivered: the process lives, and each signal is heard, in order for one thing', async () => {
  const { db, outbox } = app.platform;
  const heard = new Map<string, number[]>();
  outbox.on('event.changed', 'cut test', async ({ payload }) => {
    heard.set(payload.eventId, [...(heard.get(payload.eventId) ?? []), Number(payload.organizerId)]);
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
      const payload = { eventId, organizerId: String(round), travellers: [], what: 'details' as const };
      await readAgain(() => db.transaction((tx) => outbox.emit(tx, 'event.changed', payload, eventId)));
    }
    await cut();
  }
  const firsts = () => things.map((id) => [...new Set(heard.get(id) ?? [])]);
  const all = Array.from({ length: 12 }, (_, round) => round);
  await expect.poll(firsts, { timeout: 90_000 }).toEqual(things.map(() => all));
  outbox.off('cut test');
}, 150_000);

test('a listener whose failure cannot be written down hears the same again once there is room; the others go on meanwhile', async () => {
  const { outbox, transact } = app.platform;
  const [heard, beside]: [string[], string[]] = [[], []];
  const full = 'could not extend file: No space left on device';
  let [isFull, tries] = [true, 0];
  outbox.on('event.moved', 'full test', async ({ payload }) => {
    tries++;
    if (isFull) throw Object.assign(new Error(full), { code: '53100' });
    heard.push(payload.eventId);
  });
  outbox.on('event.moved', 'beside test', async ({ payload }) => void beside.push(payload.eventId));
  // The queue takes no job either.
  await app.pool.query(`create function be_full() returns trigger language plpgsql as
    $$ begin raise exception '${full}' using errcode = '53100'; end $$`);
  await app.pool.query(`create trigger be_full before insert on graphile_worker._private_jobs
    for each row execute function be_full()`);
  const events = Array.from({ length: 4 }, () => crypto.randomUUID());
  const emit = (eventId: string) =>
    transact('emit', (tx) => outbox.emit(tx, 'event.moved', { eventId }, eventId));
  await emit(events[0]!);
  await expect.poll(() => tries, { timeout: 20_000 }).toBeGreaterThan(1);
  await emit(events[1]!);
  await expect.poll(() => beside, { timeout: 20_000 }).toEqual(events.slice(0, 2));
  expect(heard).toEqual([]);

  isFull = false;
  await app.pool.query('drop trigger be_full on graphile_worker._private_jobs');
  for (const eventId of events.slice(2)) await emit(eventId);
  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(events);
  expect(beside).toEqual(events);
  outbox.off('full test');
  outbox.off('beside test');
}, 90_000);

test('many signals together are one row for each 256, its signals have ids of their own, and one that is undone leaves none', async () => {
  const { db, outbox } = app.platform;
  const emitAll = (count: number) =>
    db.transaction(async (tx) => {
      const signals = Array.from({ length: count }, (_, thing) => ({
        name: 'event.moved' as const,
        payload: { eventId: `many-${thing}` },
        key: String(thing),
      }));
      await outbox.emitAll(tx, signals);
      if (count === 7) throw new Error('undone');
    });
  const rows = () => db.$count(eventLog);
  const before = await rows();
  await emitAll(300);
  expect((await rows()) - before).toBe(2);
  const ids = (await emitted(db, 'event.moved')).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  await expect(emitAll(7)).rejects.toThrow('undone');
  expect((await rows()) - before).toBe(2);
});

test('a day with rows in the default partition gets no partition of its own, without an error', async () => {
  await app.pool.query(`insert into event_log (written_on, items) values (current_date + 9, '[]')`);
  await app.pool.query('select make_event_log_day(9)');
  const { rows } = await app.pool.query(`
    select tableoid::regclass::text as partition from event_log where written_on = current_date + 9`);
  expect(rows).toEqual([{ partition: 'event_log_default' }]);
  await app.pool.query('delete from event_log where written_on = current_date + 9');
});

test('the log has partitions for the coming days; those a week old go once all have heard them', async () => {
  const { db, outbox } = app.platform;
  const partitions = async () => {
    const { rows } = await db.execute<{ name: string }>(sql`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'event_log'::regclass order by 1`);
    return rows.map(({ name }) => name);
  };
  await outbox.keepLog(db);
  await outbox.keepLog(db);
  // Today's rows may stand in the default partition already.
  expect((await partitions()).length).toBeGreaterThanOrEqual(4);
  await app.pool.query(
    `create table event_log_20200101 partition of event_log for values from ('2020-01-01') to ('2020-01-02')`,
  );
  await db.execute(sql`
    insert into event_log (written_on, items) values ('2020-01-01', '[]')`);
  await outbox.keepLog(db);
  expect(await partitions()).toContain('event_log_20200101');
  await db.execute(sql`update event_log set seq = 0 where written_on = '2020-01-01'`);
  await outbox.keepLog(db);
  expect(await partitions()).not.toContain('event_log_20200101');
});
