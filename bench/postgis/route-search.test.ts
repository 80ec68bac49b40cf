import { expect, test } from 'vitest';
import { bearingDegrees } from './route-search.ts';

test.each([
  ['north', [0, 1], 0],
  ['east', [1, 0], 90],
  ['south', [0, -1], 180],
  ['west', [-1, 0], 270],
])('due %s', (_, [lon, lat], expected) => {
  expect(bearingDegrees({ lon: 0, lat: 0 }, { lon: lon!, lat: lat! })).toBeCloseTo(expected, 6);
});

test('a degree of longitude is shorter far from the equator', () => {
  const bearing = bearingDegrees({ lon: -122, lat: 60 }, { lon: -121.98, lat: 60.01 });
  expect(bearing).toBeGreaterThan(44);
  expect(bearing).toBeLessThan(46);
});
