import { expect, test } from 'vitest';
import { frameOpacity, softEdge } from './soft-edge.ts';
import type { Bounds } from './shapes.ts';

const bounds: Bounds = [-78, 40, -77, 41];

/** How many frames lie on a point `inset` degrees from the western edge. */
const framesAt = (inset: number): number =>
  softEdge(bounds).features.filter(({ geometry }) => {
    const inner = geometry.type === 'Polygon' ? geometry.coordinates[1]! : [];
    return -78 + inset < Math.min(...inner.map(([lon]) => lon!));
  }).length;

test('most of the map is hidden at the edge, less and less inward, and none inside', () => {
  expect(framesAt(0)).toBe(10);
  expect(1 - (1 - frameOpacity) ** framesAt(0)).toBeGreaterThan(0.85);
  expect(framesAt(0.03)).toBeGreaterThan(2);
  expect(framesAt(0.03)).toBeLessThan(8);
  expect(framesAt(0.07)).toBe(0);
});
