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

test('a batch whose statement times out is tried three times, then signal by signal: the one at fault is kept, the others are heard', async () => {
  const listeners = new Listeners();
  const [heard, timedOut, kept]: [string[], number[], string[]] = [[], [], []];
  const hear = (signals: readonly SignalOf<'event.moved'>[]) => {
    const ids = signals.map(({ payload }) => payload.eventId);
    if (!ids.includes('321')) return Promise.resolve(void heard.push(...ids));
    timedOut.push(ids.length);
    return Promise.reject(timeout());
  };
  listeners.listen('test', { 'event.moved': true }, hear, { restMs: 0 });
  const [consumer] = listeners.consumers({
    log: pino({ level: 'silent' }),
    keep: (listener, { id }) => Promise.resolve(void kept.push(`${listener} ${id}`)),
    isStopping: () => false,
  });
  await consumer!.hear(Array.from({ length: 500 }, (_, nth) => signal(nth)));
  expect(kept).toEqual(['test 321']);
  expect(timedOut).toEqual([500, 500, 500, 1]);
  expect(heard).toEqual(Array.from({ length: 500 }, (_, nth) => String(nth)).filter((id) => id !== '321'));
});
