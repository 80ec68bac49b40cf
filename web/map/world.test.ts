import { expect, test } from 'vitest';
import type { Position } from 'geojson';
import { isWithin, packedWorld, unpack } from './world.ts';
import text from './world.json?raw';
import type { Bounds } from './shapes.ts';

const packed = packedWorld.safeParse(JSON.parse(text)).data!;
const santaCruz: Bounds = [-122.155, 36.9482, -121.89, 37.091];
const { land, borders, cities } = unpack(packed, [santaCruz]);

/** Whether a point lies in a ring: an even number of its edges to the east means outside. */
const isInside = ([x = 0, y = 0]: Position, ring: readonly Position[]): boolean =>
  ring.reduce((inside, [ax = 0, ay = 0], at) => {
    const [bx = 0, by = 0] = ring.at(at - 1) ?? [];
    return ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax ? !inside : inside;
  }, false);

const isLand = (point: Position): boolean =>
  land.features.some(
    ({ geometry }) =>
      geometry.type === 'Polygon' &&
      isInside(point, geometry.coordinates[0] ?? []) &&
      !geometry.coordinates.slice(1).some((hole) => isInside(point, hole)),
  );

test.each([
  ['San Jose’s airport', [-121.929, 37.363], true],
  ['the Pacific off Monterey', [-122.5, 36.5], false],
  ['the bay before San Francisco', [-122.3, 37.7], false],
  ['Xi’an’s airport', [108.75, 34.44], true],
  ['Lake Michigan’s shore at Chicago', [-87.75, 41.97], true],
  ['the middle of the Atlantic', [-40, 40], false],
] as const)('%s is on the right side of the coast', (_name, point, expected) => {
  expect(isLand([...point])).toBe(expected);
});

test('large cities have their names, but those of a pack, which it names itself', () => {
  const names = cities.features.map(({ properties }) => properties?.['name'] as string);
  expect(names).toEqual(expect.arrayContaining(['San Jose', 'San Francisco', 'Beijing', 'Fresno']));
  const around: Bounds = [-122, 37, -121, 38];
  expect(unpack(packed, [around]).cities.features).toHaveLength(cities.features.length - 1);
});

test('every line lies on the globe, and a ring ends where it begins', () => {
  const lines = [
    ...land.features.flatMap(({ geometry }) => (geometry.type === 'Polygon' ? geometry.coordinates : [])),
    ...borders.features.flatMap(({ geometry }) =>
      geometry.type === 'MultiLineString' ? geometry.coordinates : [],
    ),
  ];
  for (const line of lines)
    for (const [lon = NaN, lat = NaN] of line)
      expect(Math.abs(lon) <= 180.01 && Math.abs(lat) <= 90.01).toBe(true);
  for (const { geometry } of land.features)
    if (geometry.type === 'Polygon')
      for (const ring of geometry.coordinates) expect(ring.at(-1)).toEqual(ring[0]);
});

test('a view within a pack asks for no ground', () => {
  expect(isWithin([-122.1, 36.95, -122, 37], santaCruz)).toBe(true);
  expect(isWithin([-122.1, 36.95, -121.5, 37], santaCruz)).toBe(false);
});
