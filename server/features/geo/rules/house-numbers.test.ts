import { expect, test } from 'vitest';
import { houseNumberAt } from './house-numbers.ts';

const line: [number, number][] = [
  [-122, 37],
  [-121.99, 37],
];

test.each([
  [{ from: 100, to: 198, parity: 'even' as const, line }, 0, 100],
  [{ from: 100, to: 198, parity: 'even' as const, line }, 1, 198],
  [{ from: 100, to: 198, parity: 'even' as const, line }, 0.51, 150],
  [{ from: 101, to: 199, parity: 'odd' as const, line }, 0.51, 151],
  [{ from: 199, to: 101, parity: 'odd' as const, line }, 0.1, 189],
  [{ from: 1, to: 9, parity: 'any' as const, line }, 0.25, 3],
  [{ from: 7, to: 7, parity: 'odd' as const, line }, 0.9, 7],
])('the number in %j at %d of its length is %d', (range, fraction, expected) => {
  const found = houseNumberAt(range, { lon: -122 + fraction * 0.01, lat: 37.0001 });
  expect(found?.houseNumber).toBe(expected);
  expect(found?.metres).toBeCloseTo(11.1, 0);
});

test('a range without a line has no numbers', () => {
  expect(houseNumberAt({ from: 1, to: 9, parity: 'any', line: [] }, { lon: 0, lat: 0 })).toBeNull();
});
