import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkProfile,
  freePermille,
  inTraffic,
  mostPermille,
  permilleAt,
  smallUrbanArea,
} from './traffic.ts';

const mean = (figures: readonly number[]) => figures.reduce((sum, each) => sum + each, 0) / figures.length;

describe('the profile of a small urban area', () => {
  test('is sound, and its weekday peaks lie within the published travel time index', () => {
    expect(checkProfile(smallUrbanArea)).toBe(smallUrbanArea);
    const peaks = [6, 7, 8, 9, 15, 16, 17, 18].map((hour) => permilleAt(smallUrbanArea, 2, hour));
    expect(mean(peaks)).toBeGreaterThanOrEqual(1050);
    expect(mean(peaks)).toBeLessThanOrEqual(1150);
  });

  test('is a free road at night, and slowest in the two peaks of a weekday', () => {
    for (let weekday = 1; weekday <= 7; weekday++)
      for (const hour of [0, 1, 2, 3, 4, 22, 23])
        expect(permilleAt(smallUrbanArea, weekday, hour)).toBe(freePermille);
    const at = (weekday: number, hour: number) => permilleAt(smallUrbanArea, weekday, hour);
    const hours = Array.from({ length: 24 }, (_, hour) => hour);
    const slowest = hours.toSorted((a, b) => at(3, b) - at(3, a)).slice(0, 4);
    expect(slowest.toSorted((a, b) => a - b)).toEqual([7, 8, 16, 17]);
    for (const hour of hours) expect(at(6, hour)).toBe(at(7, hour));
    expect(Math.max(...hours.map((hour) => at(7, hour)))).toBeLessThan(at(1, 8));
  });
});

describe('a drive in traffic', () => {
  const permille = integer({ min: freePermille, max: mostPermille });
  const ms = integer({ min: 0, max: 48 * 3_600_000 });

  test('never takes less than on a free road, and less than a millisecond more than its figure says', () => {
    assert(
      property(ms, permille, (freeMs, each) => {
        const driven = inTraffic(freeMs, each);
        expect(Number.isInteger(driven)).toBe(true);
        expect(driven).toBeGreaterThanOrEqual(freeMs);
        // Whole numbers on both sides: no rounding errors.
        expect(driven * 1000 - freeMs * each).toBeGreaterThanOrEqual(0);
        expect(driven * 1000 - freeMs * each).toBeLessThan(1000);
      }),
    );
  });

  test('keeps the order of drives: what is shorter on a free road is not longer in traffic', () => {
    assert(
      property(ms, ms, permille, (a, b, each) => {
        expect(inTraffic(Math.min(a, b), each)).toBeLessThanOrEqual(inTraffic(Math.max(a, b), each));
      }),
    );
  });

  test('that no road leads along stays so', () => expect(inTraffic(Infinity, 1170)).toBe(Infinity));
});

test.each([
  ['too few hours', { weekday: [1000], weekend: smallUrbanArea.weekend }],
  ['faster than a free road', { ...smallUrbanArea, weekend: Array<number>(24).fill(999) }],
  ['no whole number', { ...smallUrbanArea, weekday: Array<number>(24).fill(1000.5) }],
  ['more than twice as slow', { ...smallUrbanArea, weekday: Array<number>(24).fill(2001) }],
])('a profile is refused: %s', (_why, profile) => expect(() => checkProfile(profile)).toThrow('traffic.'));
