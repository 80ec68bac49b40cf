import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import type { RateLimit } from '#contract/define.ts';
import { StandingClock } from '../../testing/fixed-clock.ts';
import { openRedisServer } from '../../testing/redis-server.ts';
import { createRateLimits } from './rate-limits.ts';
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
  const tries = { count: () => Promise.resolve() };
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
