import { expect, test } from 'vitest';
import { blockedByProcessorMs } from './processor-time.ts';

const at = (name: string, ts: number, more: object = {}) => ({ name, ph: 'X', pid: 1, tid: 2, ts, ...more });
const start = at('navigationStart', 1000, {
  ph: 'R',
  args: { data: { documentLoaderURL: 'https://localhost/' } },
});
const paint = at('firstContentfulPaint', 50_000, { ph: 'R', tid: 3 });

test('a task counts by its processor time, however long it waited for a processor', () => {
  const waited = at('RunTask', 60_000, { dur: 40_000, tdur: 7000 });
  expect(blockedByProcessorMs({ traceEvents: [start, paint, waited] }, 4)).toBe(0);
  const worked = at('RunTask', 120_000, { dur: 40_000, tdur: 20_000 });
  expect(blockedByProcessorMs({ traceEvents: [start, paint, waited, worked] }, 4)).toBe(30);
  expect(blockedByProcessorMs({ traceEvents: [start, paint, waited, worked] }, 1)).toBe(0);
});

test('what is before the first paint, inside another task or on other threads does not count', () => {
  const long = { dur: 30_000, tdur: 30_000 };
  const traceEvents = [
    at('navigationStart', 1, { ph: 'R', args: { data: { documentLoaderURL: 'about:blank' } } }),
    start,
    paint,
    at('RunTask', 10_000, long),
    at('ThreadControllerImpl::RunTask', 60_000, long),
    at('RunTask', 65_000, { dur: 20_000, tdur: 20_000 }),
    at('RunTask', 60_000, { ...long, tid: 9 }),
    at('RunTask', 60_000, { ...long, pid: 9 }),
    at('Layout', 200_000, long),
  ];
  expect(blockedByProcessorMs({ traceEvents }, 4)).toBe(70);
});

test('a trace without a first paint is refused', () => {
  expect(() => blockedByProcessorMs({ traceEvents: [start] }, 4)).toThrow('no first paint');
});
