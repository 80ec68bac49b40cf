import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareCents, splitCarPrice, withinOffer } from './price.ts';

describe('a share', () => {
  test.each([
    ['per person, one seat', { priceKind: 'perPerson', costCents: 6_50 }, 1, 0, 6_50],
    ['per person, three seats', { priceKind: 'perPerson', costCents: 6_50 }, 3, 2, 19_50],
    ['a car alone', { priceKind: 'perCar', costCents: 20_00 }, 1, 0, 20_00],
    ['a car with one aboard', { priceKind: 'perCar', costCents: 20_00 }, 1, 1, 10_00],
    ['a car with two aboard, rounded up', { priceKind: 'perCar', costCents: 20_00 }, 1, 2, 6_67],
    ['a free ride', { priceKind: 'perCar', costCents: 0 }, 2, 1, 0],
  ] as const)('%s', (_name, ride, seats, joined, expected) =>
    expect(shareCents(ride, seats, joined)).toBe(expected),
  );

  test('suits an offer per person when it is not above it', () => {
    expect(withinOffer(13_00, 2, 6_50)).toBe(true);
    expect(withinOffer(13_01, 2, 6_50)).toBe(false);
    expect(withinOffer(50_000, 1, null)).toBe(true);
  });
});

test('the parts of a car’s price add up to it, and nobody pays more than the first thought', () => {
  const cars = tuple(
    integer({ min: 0, max: 50_000 }),
    array(integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
  );
  assert(
    property(cars, ([costCents, seats]) => {
      const parts = splitCarPrice(costCents, seats);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(costCents);
      for (const [index, part] of parts.entries()) {
        const before = seats.slice(0, index).reduce((sum, each) => sum + each, 0);
        expect(part).toBeLessThanOrEqual(
          shareCents({ priceKind: 'perCar', costCents }, seats[index]!, before),
        );
      }
    }),
  );
});
