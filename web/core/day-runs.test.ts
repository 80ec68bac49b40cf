import { expect, test } from 'vitest';
import { runsOf } from './day-runs.ts';

test.each([
  [[1], [[1, 1]]],
  [
    [1, 2],
    [
      [1, 1],
      [2, 2],
    ],
  ],
  [[1, 2, 3, 4, 5], [[1, 5]]],
  [
    [1, 3, 5, 6, 7],
    [
      [1, 1],
      [3, 3],
      [5, 7],
    ],
  ],
  [[], []],
])('days %j are named as %j', (days, runs) => {
  expect(runsOf(days)).toEqual(runs);
});
