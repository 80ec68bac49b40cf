import { describe, expect, test } from 'vitest';
import { spread, type Point } from './spread.ts';

const nearest = (points: readonly Point[]) =>
  Math.min(
    ...points.flatMap((a, index) => points.slice(index + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))),
  );

describe('pins that would cover each other', () => {
  test('points far apart stay where they are', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 0, y: 40 },
    ];
    expect(spread(points, 38)).toEqual(points);
  });

  test.each([2, 5, 20, 40])('%i at one point end 38 pixels apart', (count) => {
    const points = Array.from({ length: count }, () => ({ x: 50, y: 50 }));
    expect(nearest(spread(points, 38))).toBeGreaterThanOrEqual(37.5);
  });

  test('a crowd on a line of road ends apart, and the same way each time', () => {
    const points = Array.from({ length: 30 }, (_, index) => ({ x: index * 9, y: (index * 37) % 50 }));
    const placed = spread(points, 38);
    expect(nearest(placed)).toBeGreaterThanOrEqual(37.5);
    expect(spread(points, 38)).toEqual(placed);
  });
});
