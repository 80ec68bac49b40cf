import { expect, test } from 'vitest';
import { softEdge } from './soft-edge.ts';
import type { Bounds } from './shapes.ts';

const bounds: Bounds = [-78, 40, -77, 41];

/** How much of the map is left to be seen `inset` degrees inward from the western edge. */
const leftAt = (inset: number): number =>
  softEdge(bounds).features.reduce((left, { geometry, properties }) => {
    const inner = geometry.type === 'Polygon' ? geometry.coordinates[1]! : [];
    const isCovered = -78 + inset < Math.min(...inner.map(([lon]) => lon!));
    return isCovered ? left * (1 - Number(properties?.['opacity'])) : left;
  }, 1);

test('beyond its bounds a map is hidden, at the edge most of it, less and less inward, nothing inside', () => {
  expect(leftAt(-0.01)).toBe(0);
  expect(leftAt(0.001)).toBeLessThan(0.15);
  expect(leftAt(0.03)).toBeGreaterThan(leftAt(0.001));
  expect(leftAt(0.03)).toBeLessThan(0.6);
  expect(leftAt(0.07)).toBe(1);
});
