import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import type { RateLimit } from '#contract/define.ts';
import { StandingClock } from '../../testing/fixed-clock.ts';
import { openRedisServer } from '../../testing/redis-server.ts';
import { createRateLimits } from './rate-limits.ts';
import { openRedis } from '../redis.ts';
import { openSharedCounts, type SharedCounts } from './shared-counts.ts';

const redis = await openRedisServer();
const opened: SharedCounts[] = [];
afterAll(async () => {
  for (const counts of opened) counts.close();
  await redis?.stop();
});

/** The limits of a process of its own. */
function newProcess() {
  const counts = openSharedCounts(redis!.url, pino({ level: 'silent' }));
  opened.push(counts);
  const tries = { count: () => Promise.resolve(1) };
  return createRateLimits(tries, new StandingClock(new Date('2026-11-23T15:00:00Z')), counts);
}

const limit: RateLimit = { per: 'caller', most: 20, withinSeconds: 600 };
const call = { path: '/quote', limits: [limit], userId: 'a-person', address: '' };
const limited = expect.objectContaining({ reason: 'rate.limited' }) as unknown;

test.skipIf(redis === null)(
  'what a person does at one process counts at the others; without Redis each counts by itself',
  async () => {
    const [here, there] = [newProcess(), newProcess()];
    for (let each = 0; each < 15; each++) here.countInProcess(call);
    for (let each = 0; each < 5; each++) there.countInProcess(call);
    // The next one is one too many as soon as they know of each other; alone it would be far from that.
    await vi.waitFor(() => expect(() => there.countInProcess(call)).toThrow(), {
      timeout: 6000,
      interval: 600,
    });
    const other = { ...call, userId: 'another' };
    expect(() => there.countInProcess(other)).not.toThrow();

    await redis!.stop();
    const fresh = { ...call, userId: 'later' };
    for (let each = 0; each < 20; each++) here.countInProcess(fresh);
    let refusal: unknown;
    try {
      here.countInProcess(fresh);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toEqual(limited);
  },
  30_000,
);

test.skipIf(redis === null)(
  'what many people do in half a second is a few commands for Redis, and counts for each of them',
  async () => {
    await redis!.start();
    const [here, there] = [newProcess(), newProcess()];
    const asking = openRedis(redis!.url);
    asking.on('error', () => {});
    await asking.connect();
    const people = Array.from({ length: 1200 }, (_, index) => ({ ...call, userId: `person ${index}` }));
    for (const person of people) for (let each = 0; each < 20; each++) here.countInProcess(person);
    const commands = async () =>
      [...(await asking.info('commandstats')).matchAll(/^cmdstat_(?:eval|exec):calls=(\d+)/gm)].reduce(
        (sum, [, calls]) => sum + Number(calls),
        0,
      );
    await vi.waitFor(async () => expect(await commands()).toBeGreaterThan(0), { timeout: 6000 });
    for (const person of [people[0]!, people[700]!, people.at(-1)!]) {
      for (let each = 0; each < 5; each++) there.countInProcess(person);
      await vi.waitFor(() => expect(() => there.countInProcess(person)).toThrow(), {
        timeout: 6000,
        interval: 600,
      });
    }
    expect(await commands()).toBeLessThan(20);
    asking.destroy();
  },
  30_000,
);
