import { sql } from 'drizzle-orm';
import type { QueryConfig } from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { LoggedSignal } from './event-log.ts';
import { Listeners, type SignalOf } from './listeners.ts';

const timeout = () =>
  Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
const signal = (nth: number): LoggedSignal => ({
  id: nth,
  name: 'event.moved',
  key: 'one',
  at: new Date('2026-11-23T17:00:00Z'),
  payload: { eventId: String(nth) },
});

/** Lets one consumer hear 500 signals. @returns the sizes of what timed out, and what was kept for later */
async function hearAll(listeners: Listeners): Promise<string[]> {
  const kept: string[] = [];
  const [consumer] = listeners.consumers(
    {
      log: pino({ level: 'silent' }),
      keep: (listener, { id }) => Promise.resolve(void kept.push(`${listener} ${id}`)),
      isStopping: () => false,
    },
    1,
  );
  await consumer!.hear(
    Array.from({ length: 500 }, (_, nth) => signal(nth)),
    1n,
  );
  return kept;
}

test('a signal of which a statement times out is tried twelve times in smaller and smaller parts, then kept; the others are heard', async () => {
  const listeners = new Listeners({ run: () => Promise.reject(new Error('no writer')) });
  const heard: string[] = [];
  const timedOut: number[] = [];
  const hear = (signals: readonly SignalOf<'event.moved'>[]) => {
    const ids = signals.map(({ payload }) => payload.eventId);
    if (!ids.includes('321')) return Promise.resolve(void heard.push(...ids));
    timedOut.push(ids.length);
    return Promise.reject(timeout());
  };
  listeners.hearBatch('test', { 'event.moved': true }, hear, { restMs: 0 });
  expect(await hearAll(listeners)).toEqual(['test 321']);
  expect(timedOut.slice(0, 4)).toEqual([500, 500, 500, 250]);
  expect(timedOut.length).toBeLessThanOrEqual(12);
  expect(heard).toEqual(Array.from({ length: 500 }, (_, nth) => String(nth)).filter((id) => id !== '321'));
});

test('a writer whose statement times out holds up the others for thirteen tries', async () => {
  let tries = 0;
  const listeners = new Listeners({
    run: (statement) => {
      if (!(statement as QueryConfig).values!.flat().includes('321')) return Promise.resolve([]);
      tries++;
      return Promise.reject(timeout());
    },
  });
  const query = sql`select ${sql.placeholder('events')}`;
  listeners.writeBatch('test', { 'event.moved': true }, (signals) =>
    Promise.resolve([
      { name: 'events', query, values: { events: signals.map(({ payload }) => payload.eventId) } },
    ]),
  );
  expect(await hearAll(listeners)).toEqual(['test 321']);
  expect(tries).toBeLessThanOrEqual(13);
});
