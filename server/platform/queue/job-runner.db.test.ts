import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { secondMs } from '../clock.ts';
import { openPoolBeside } from '../database/db.ts';
import { JobRunner } from './job-runner.ts';

/** A machine that others keep busy. */
const slackSeconds = 1.5;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a job begins within a second of its time, and an empty queue costs a statement a second', async () => {
  let statements = 0;
  class CountingClient extends Client {
    override query = ((...args: Parameters<Client['query']>) => {
      statements++;
      return Client.prototype.query.apply(this, args);
    }) as Client['query'];
  }
  const pool = openPoolBeside(app.serverPool, { name: 'counted', Client: CountingClient }, () => undefined);
  const begun = vi.fn<() => void>();
  const runner = new JobRunner(pool, app.platform.log, { probe: async () => begun() });
  await runner.start();
  await app.pool.query(
    `select graphile_worker.add_job('probe', run_at => clock_timestamp() + make_interval(secs => 4))`,
  );
  const addedMs = performance.now();
  const secondsSince = (fromMs: number) => (performance.now() - fromMs) / secondMs;
  // The statements of the start and of the new job are over.
  await pause(secondMs);
  const [fromMs, before] = [performance.now(), statements];
  await pause(2.5 * secondMs);
  // The runner polls once a second, and checks for dead runners every five seconds.
  expect(statements - before).toBeLessThan(secondsSince(fromMs) + 4);
  await vi.waitFor(() => expect(begun).toHaveBeenCalled(), { timeout: 30 * secondMs, interval: 20 });
  expect(secondsSince(addedMs)).toBeGreaterThan(3.9);
  expect(secondsSince(addedMs)).toBeLessThan(4 + 1 + slackSeconds);
  await runner.stop();
  await pool.end();
});
