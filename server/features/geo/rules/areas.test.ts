import { expect, test } from 'vitest';
import { areaAt, areasAround, areasOnLine, areaSpans, pointIn } from './areas.ts';

const downtown = { lon: -122.0263, lat: 36.9741 };
const aptos = { lon: -121.9027, lat: 36.9772 };

test('a point lies in the area whose middle is nearest, and an area tells nothing finer', () => {
  const middle = pointIn(areaAt(downtown), 0, 0);
  expect(areaAt(middle)).toBe(areaAt(downtown));
  expect(Math.abs(middle.lon - downtown.lon)).toBeLessThanOrEqual(0.01);
  expect(Math.abs(middle.lat - downtown.lat)).toBeLessThanOrEqual(0.0075);
  for (const [right, up] of [
    [0.49, 0.49],
    [-0.49, -0.49],
    [0.49, -0.49],
  ] as const)
    expect(areaAt(pointIn(areaAt(downtown), right, up))).toBe(areaAt(downtown));
});

test('ids are whole 32-bit numbers over the whole world', () => {
  for (const lon of [-180, -0.001, 0, 179.999, 180])
    for (const lat of [-90, 0, 90]) {
      const area = areaAt({ lon, lat });
      expect(Number.isInteger(area) && area >= 0 && area < 2 ** 31, `${lon} ${lat}`).toBe(true);
    }
});

test('neighbors and spans hold the same areas', () => {
  const area = areaAt(downtown);
  expect(areasAround(area, 0)).toEqual([area]);
  expect(areasAround(area, 1)).toHaveLength(9);
  const middle = pointIn(area, 0, 0);
  const spans = areaSpans(middle, { lon: 0.04, lat: 0.03 });
  const inSpans = spans.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  expect(inSpans).toEqual(areasAround(area, 2));
});

test('a line leaves out no area that it crosses, also between two far points', () => {
  const areas = areasOnLine([
    [downtown.lon, downtown.lat],
    [aptos.lon, aptos.lat],
  ]);
  expect(areas[0]).toBe(areaAt(downtown));
  expect(areas.at(-1)).toBe(areaAt(aptos));
  expect(areas.length).toBeGreaterThanOrEqual(7);
  expect(areasOnLine([[downtown.lon, downtown.lat]])).toEqual([areaAt(downtown)]);
  expect(areasOnLine([])).toEqual([]);
});
