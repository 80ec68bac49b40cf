import { expect, test } from 'vitest';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../../../../platform/clock.ts';
import { isStopped, nextTryAt, restsUntil, stopAfterMs } from './retry.ts';

const now = new Date('2026-11-25T12:00:00Z');

test.each([
  [1, null, 5 * secondMs],
  [2, null, minuteMs],
  [9, null, 20 * hourMs],
  [1, 3, 5 * secondMs],
  [1, 120, 2 * minuteMs],
  [2, 999_999, dayMs],
])('after %i tries, and Retry-After %s, the next is %i ms later', (tries, asked, ms) => {
  expect(nextTryAt(tries, now, asked)).toEqual(later(now, ms));
});

test.each([
  [503, 0, 5 * secondMs],
  [null, minuteMs, 6 * secondMs],
  [429, hourMs, 6 * minuteMs],
  [null, dayMs, 10 * minuteMs],
  [408, hourMs, null],
  [404, hourMs, null],
])('a receiver that has failed (status %s) for %i ms is left alone for %s ms', (status, failingMs, ms) => {
  const failingSince = later(now, -failingMs);
  expect(restsUntil({ status, failingSince }, now)).toEqual(ms === null ? null : later(now, ms));
});

test('it gives up after ten attempts, which takes more than two days', () => {
  expect(nextTryAt(10, now, 60)).toBeNull();
  const total = [1, 2, 3, 4, 5, 6, 7, 8, 9].reduce(
    (sum, tries) => sum + (nextTryAt(tries, now, null)!.getTime() - now.getTime()),
    0,
  );
  expect(total).toBeGreaterThan(2 * dayMs);
});

test.each([
  [500, null, false],
  [500, later(now, -stopAfterMs + 1), false],
  [500, later(now, -stopAfterMs), true],
  [null, later(now, -stopAfterMs), true],
  [410, null, true],
])('an answer %s of an address that fails since %s stops it: %s', (status, failingSince, stopped) => {
  expect(isStopped({ status, failingSince }, now)).toBe(stopped);
});
