import { afterAll, beforeAll, expect, test } from 'vitest';
import { outages } from '../../schema/platform.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { minuteMs, secondMs } from '../clock.ts';
import type { Transact } from '../database/transact.ts';
import { createUptime } from './uptime.ts';

let app: TestApp;
beforeAll(async () => (app = await openTestApp()));
afterAll(() => app.close());

test('rounds that ask at the same moment write one sign of life; one from before the machine slept is not taken for it', async () => {
  const { clock, transact } = app.platform;
  let wallMs = Date.now() + minuteMs;
  let written = 0;
  let gate = Promise.resolve();
  const counted: Transact = async (name, work) => {
    written++;
    await gate;
    return transact(name, work);
  };
  const uptime = createUptime(
    { transact: counted, clock, roles: new Set(['worker', 'web']), maintenance: { state: null } },
    () => wallMs,
  );
  const wereAway = () => app.platform.db.$count(outages);
  await Promise.all([uptime.beat(), uptime.beat(), uptime.beat()]);
  expect(written).toBe(1);
  const before = await wereAway();

  wallMs += 3 * secondMs;
  const { promise, resolve: wake } = Promise.withResolvers<void>();
  gate = promise;
  const asleep = uptime.beat();
  wallMs += 5 * minuteMs;
  const awake = uptime.beat();
  wake();
  await Promise.all([asleep, awake]);
  expect(written).toBe(3);
  expect(await wereAway()).toBe(before + 1);
});
