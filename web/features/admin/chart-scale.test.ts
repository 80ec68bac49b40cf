import { expect, test } from 'vitest';
import { linesOf } from './chart-scale.ts';

test.each([
  [0, [1, 0]],
  [1, [1, 0]],
  [3, [3, 2, 1, 0]],
  [5, [6, 4, 2, 0]],
  [37, [40, 30, 20, 10, 0]],
  [12.5, [15, 10, 5, 0]],
  [8192, [10_000, 5000, 0]],
])('a chart up to %d is read by lines at %j', (highest, lines) => {
  expect(linesOf(highest)).toEqual(lines);
});
