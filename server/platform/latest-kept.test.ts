import { expect, test } from 'vitest';
import { LatestKept } from './latest-kept.ts';

test('keeps what was asked for last, makes it once, and forgets what was not asked for meanwhile', () => {
  const kept = new LatestKept<number, number | null>(2);
  const made: number[] = [];
  const get = (key: number) =>
    kept.get(key, () => {
      made.push(key);
      return key === 0 ? null : key * 10;
    });
  expect([get(0), get(1), get(0), get(1)]).toEqual([null, 10, null, 10]);
  expect(made).toEqual([0, 1]);
  // 0 is asked for beside the new ones and stays; 1 goes.
  expect([get(2), get(0), get(3), get(0), get(4), get(0)]).toEqual([20, null, 30, null, 40, null]);
  expect(get(1)).toBe(10);
  expect(made).toEqual([0, 1, 2, 3, 4, 1]);
});
