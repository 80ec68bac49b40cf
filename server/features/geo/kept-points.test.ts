import { expect, test } from 'vitest';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { RoadNetwork, RoadPoint } from '#roads/graph/network.ts';
import { keepPoints } from './kept-points.ts';

function countingNetwork() {
  const snapped: LonLat[] = [];
  const network = {
    snap(at: LonLat): RoadPoint | null {
      snapped.push(at);
      return at.lat < 0 ? null : ({ ...at, streetName: `${snapped.length}` } as RoadPoint);
    },
  } as RoadNetwork;
  return { network, snapped };
}
const at = (lon: number, lat: number): LonLat => ({ lon, lat });

test('a place is looked up once, also one without a road', () => {
  const { network, snapped } = countingNetwork();
  const pointAt = keepPoints(network);
  const first = pointAt(at(1, 2));
  expect(pointAt(at(1, 2))).toBe(first);
  expect(pointAt(at(1, -2))).toBeNull();
  expect(pointAt(at(1, -2))).toBeNull();
  expect(pointAt(at(2, 1))).not.toBe(first);
  expect(snapped).toEqual([at(1, 2), at(1, -2), at(2, 1)]);
});

test('of many places the latest are kept', () => {
  const { network, snapped } = countingNetwork();
  const pointAt = keepPoints(network, 2);
  for (const lat of [1, 2, 3, 1, 4, 5]) pointAt(at(0, lat));
  expect(snapped.map(({ lat }) => lat)).toEqual([1, 2, 3, 4, 5]);
  // 3 and 1 make room for 4 and 5, and stay with them; 2 is forgotten.
  for (const lat of [1, 2]) pointAt(at(0, lat));
  expect(snapped.map(({ lat }) => lat)).toEqual([1, 2, 3, 4, 5, 2]);
});
