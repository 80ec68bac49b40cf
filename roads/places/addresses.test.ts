import { expect, test } from 'vitest';
import { addressPoint, pointAlong, type AddressRange } from './addresses.ts';

const EAST: AddressRange = {
  from: 100,
  to: 200,
  parity: 'even',
  line: [
    [-122, 37],
    [-121.99, 37],
  ],
};

test.each([
  [100, -122],
  [150, -121.995],
  [200, -121.99],
])('number %i stands as far along as it is between the ends', (number, lon) => {
  expect(addressPoint(EAST, number)!.lon).toBeCloseTo(lon, 6);
});

test('numbers may fall along the line', () => {
  expect(addressPoint({ ...EAST, from: 200, to: 100 }, 190)!.lon).toBeCloseTo(-121.999, 6);
});

test.each([98, 202, 151, 150.5, Number.NaN])('%d is not of this range', (number) => {
  expect(addressPoint(EAST, number)).toBeNull();
});

test('both sides, one house, no line', () => {
  expect(addressPoint({ ...EAST, parity: 'any' }, 151)).not.toBeNull();
  expect(addressPoint({ ...EAST, to: 100 }, 100)!.lon).toBeCloseTo(-121.995, 6);
  expect(addressPoint({ ...EAST, line: [] }, 150)).toBeNull();
});

test('a bend counts by length, a vertex on itself not at all', () => {
  const bent = pointAlong(
    [
      [0, 0],
      [0, 0],
      [0, 0.01],
      [0.01, 0.01],
    ],
    0.75,
  );
  expect(bent.lon).toBeCloseTo(0.005, 5);
  expect(bent.lat).toBeCloseTo(0.01, 6);
  expect(pointAlong([[1, 2]], 0.5)).toEqual({ lon: 1, lat: 2 });
});
