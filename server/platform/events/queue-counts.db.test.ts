import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQueue } from '#contract/admin/operations.ts';
import { deliverAgain, listUndelivered } from '#contract/notifications/endpoints.ts';
import { paragraph } from '../messages/email-blocks.ts';
import { minuteMs } from '../clock.ts';
import { numberLog } from './event-log.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';

let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
  admin = await app.person('Admin', { isAdmin: true });
  await app.deliver();
});
afterAll(() => app.close());

const post = (to: string) =>
  app.platform.transact('post', (tx) =>
    app.platform.outbox.post(tx, { to, language: 'en', subject: 'Hello', blocks: [paragraph('There')] }),
  );
/** Leaves the job of an email as the queue would, by columns of its own. */
const set = (to: string, columns: string) =>
  app.platform.db.execute(
    sql`update graphile_worker._private_jobs set ${sql.raw(columns)} where payload ->> 'to' = ${to}`,
  );
const queue = () => app.ok(admin, readQueue, {});
const letters = async () => (await queue()).jobs.find(({ task }) => task === 'letter')!;

test('jobs are counted by task: what waits, what is retried and since when, and the name of the latest error', async () => {
  const idle = { waiting: 0, retrying: 0, failed: 0, oldestMs: null, lastError: null };
  expect((await queue()).jobs).toEqual(
    ['letter', 'text', 'push', 'deliver'].map((task) => ({ task, ...idle })),
  );
  await post('new@example.com');
  await post('tried@example.com');
  await set(
    'tried@example.com',
    `attempts = 3, created_at = now() - interval '2 hours', run_at = now() + interval '1 hour',
     last_error = 'all recipients were rejected: 550 5.1.1 <tried@example.com> unknown'`,
  );
  const counted = await letters();
  expect(counted).toMatchObject({ waiting: 1, retrying: 1, failed: 0, lastError: '550' });
  expect(Math.round(counted.oldestMs! / minuteMs)).toBe(120);
  expect(JSON.stringify(await queue())).not.toContain('example.com');
});

test('a job that is tried no more is a failed one, goes where admins see it, and is repeated from there, once', async () => {
  const { db, outbox } = app.platform;
  await set('tried@example.com', 'attempts = max_attempts');
  expect(await letters()).toMatchObject({ waiting: 1, retrying: 0, failed: 1 });
  await outbox.keepSpentJobs(db);
  await outbox.keepSpentJobs(db);
  expect(await letters()).toMatchObject({ waiting: 1, retrying: 0, failed: 1, lastError: '550' });
  const { undelivered } = await app.ok(admin, listUndelivered, {});
  expect(undelivered).toMatchObject([
    { task: 'letter', to: 'tried@example.com', what: 'Hello', attempts: 22 },
  ]);
  const id = undelivered[0]!.id;
  const both = await Promise.all([
    app.call(admin, deliverAgain, { id }),
    app.call(admin, deliverAgain, { id, drop: true }),
  ]);
  expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 404]);
  expect(await letters()).toMatchObject({ failed: 0 });
});

test('a spent job whose content cannot be read is kept all the same', async () => {
  const { db, outbox } = app.platform;
  await db.execute(sql`
    select graphile_worker.add_job('push', '{"deviceId":"none","text":"no JSON"}'::json, max_attempts => 1)`);
  await db.execute(sql`
    update graphile_worker._private_jobs set attempts = 1 where payload ->> 'deviceId' = 'none'`);
  await outbox.keepSpentJobs(db);
  const { undelivered } = await app.ok(admin, listUndelivered, {});
  expect(undelivered).toMatchObject([{ task: 'push', to: '', what: expect.stringMatching(/^job \d+$/) }]);
});

test('each listener says how far it is behind, the slowest first', async () => {
  await app.deliver();
  const before = (await queue()).listeners;
  expect(before.map(({ listener }) => listener).toSorted()).toEqual(
    [...app.platform.outbox.consumerNames].toSorted(),
  );
  expect(before.every(({ unheard, lagMs }) => unheard === 0 && lagMs === 0)).toBe(true);
  await app.platform.transact('test', (tx) =>
    app.platform.outbox.tell(tx, [admin.id], { topic: 'profile', id: admin.id, news: null }),
  );
  const [slow, ...others] = before.map(({ listener }) => listener);
  // All but one have heard it.
  await numberLog(app.pool);
  await app.platform.db.execute(sql`
    update event_cursors set seq = (select max(seq) from event_log)
    where consumer = any(${sql.param(others)}::text[])`);
  app.clock.advance(5 * minuteMs);
  const { listeners } = await queue();
  expect(listeners[0]).toMatchObject({ listener: slow, unheard: 1 });
  expect(listeners[0]!.lagMs).toBeGreaterThanOrEqual(5 * minuteMs);
  expect(listeners.slice(1).every(({ unheard }) => unheard === 0)).toBe(true);
});
