import fs from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { secondMs } from '../clock.ts';
import { openPoolBeside } from '../database/db.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createScheduler } from './scheduler.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('every lane and task has a name of its own and runs once by itself', async () => {
  const names = app.scheduler.works.map(({ name }) => name);
  expect(names).toContain('rides');
  expect(names).toContain('reminders');
  expect(new Set(names).size).toBe(names.length);
  for (const { run } of app.scheduler.works) await run();
});

test('decision 0074 lists every lane and task', async () => {
  const page = await fs.readFile('docs/decisions/0074-next-at-and-leaders.md', 'utf8');
  const listed = page.matchAll(/^\| (?!task |---)([^|]+?) \|/gm);
  expect([...listed].map(([, name]) => name!).toSorted()).toEqual(
    app.scheduler.works.map(({ name }) => name).toSorted(),
  );
});

/** A process of the installation with one task that a leader does and one that all do. */
function openProcess(name: string) {
  const pool = openPoolBeside(app.pool, { name, max: 2 }, () => undefined);
  const ran = { led: 0, shared: 0 };
  const task = (kind: 'led' | 'shared') => ({
    name: kind,
    everyMs: 0,
    isShared: kind === 'shared',
    run: async () => void (ran[kind] += 1),
  });
  const scheduler = createScheduler(app.platform, [{ tasks: [task('led'), task('shared')] }], pool);
  scheduler.start();
  return { ran, close: () => scheduler.stop().then(() => pool.end()) };
}

test('of two processes one does the task of a leader, and the other takes over when its connection or its process ends', async () => {
  const [first, second] = [openProcess('first'), openProcess('second')];
  const within = { timeout: 30 * secondMs, interval: 50 };
  await vi.waitFor(() => {
    expect(first.ran.led + second.ran.led).toBeGreaterThan(2);
    expect(Math.min(first.ran.shared, second.ran.shared)).toBeGreaterThan(2);
  }, within);
  expect(Math.min(first.ran.led, second.ran.led)).toBe(0);

  // The database ends the connection of the leader: one of the two leads again.
  const before = first.ran.led + second.ran.led;
  await app.pool.query(`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and classid = 7302007 and objid::bigint = hashtext('led')::bigint & 4294967295`);
  await vi.waitFor(() => expect(first.ran.led + second.ran.led).toBeGreaterThan(before + 2), within);

  const { rows } = await app.pool.query<{ count: string }>(
    `select count(*) from pg_locks where locktype = 'advisory' and classid = 7302007 and objid::bigint = hashtext('led')::bigint & 4294967295`,
  );
  expect(rows[0]!.count).toBe('1');
  await first.close();
  const led = second.ran.led;
  await vi.waitFor(() => expect(second.ran.led).toBeGreaterThan(led + 2), within);
  await second.close();
});
