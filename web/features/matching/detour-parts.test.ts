import { expect, test } from 'vitest';
import type { LonLat } from '../../map/shapes.ts';
import { detourParts } from './detour-parts.ts';

const [a, b, c, d, e, x, y]: LonLat[] = [
  [0, 0],
  [1, 0],
  [2, 0],
  [3, 0],
  [4, 0],
  [1, 1],
  [2, 1],
] as const satisfies LonLat[];

const way = (...points: (LonLat | undefined)[]) => points.filter((point) => point !== undefined);

test('the same way has no detour', () => {
  expect(detourParts(way(a, b, c), way(a, b, c))).toEqual([]);
});

test('what leaves the way and comes back is one part', () => {
  expect(detourParts(way(a, b, c, d), way(a, b, x, y, c, d))).toEqual([way(b, x, y, c)]);
});

test('two detours are two parts, and a stretch driven back counts', () => {
  expect(detourParts(way(a, b, c, d, e), way(a, b, x, b, c, d, y, d, e))).toEqual([
    way(b, x, b),
    way(d, y, d),
  ]);
});
