import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCarPrice } from '#contract/rides/split-price.ts';
import { ceilingCents, leastShareCents, shareCents, withinOffer } from './price.ts';

describe('a share', () => {
  test.each<[string, Parameters<typeof shareCents>, number]>([
    ['per person, one seat', [{ priceKind: 'perPerson', costCents: 6_50 }, 1, 0], 6_50],
    ['per person, three seats', [{ priceKind: 'perPerson', costCents: 6_50 }, 3, 2], 19_50],
    ['a car alone', [{ priceKind: 'perCar', costCents: 20_00 }, 1, 0], 20_00],
    ['a car with one aboard', [{ priceKind: 'perCar', costCents: 20_00 }, 1, 1], 10_00],
    ['a car with two aboard, rounded up', [{ priceKind: 'perCar', costCents: 20_00 }, 1, 2], 6_67],
    ['a free ride', [{ priceKind: 'perCar', costCents: 0 }, 2, 1], 0],
    ['a car with seven aboard, the eighth', [{ priceKind: 'perCar', costCents: 40_00 }, 1, 7], 5_00],
    ['half a cent each: up', [{ priceKind: 'perCar', costCents: 20_01 }, 1, 1], 10_01],
    ['a cent for eight', [{ priceKind: 'perCar', costCents: 1 }, 1, 7], 1],
    ['the least price, eight seats', [{ priceKind: 'perPerson', costCents: 50 }, 8, 0], 4_00],
    ['the highest price of a car, alone', [{ priceKind: 'perCar', costCents: 500_00 }, 1, 0], 500_00],
    ['and with eight', [{ priceKind: 'perCar', costCents: 500_00 }, 1, 7], 62_50],
    ['a cent below it, with eight', [{ priceKind: 'perCar', costCents: 499_99 }, 1, 7], 62_50],
    [
      'the highest price for all of eight seats',
      [{ priceKind: 'perPerson', costCents: 62_50 }, 8, 0],
      500_00,
    ],
  ])('%s', (_name, of, expected) => expect(shareCents(...of)).toBe(expected));

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

const car = { priceKind: 'perCar', costCents: 40_00 } as const;
test.each<[string, Parameters<typeof ceilingCents>, number]>([
  ['per person: the price for each seat', [{ priceKind: 'perPerson', costCents: 6_50 }, 3, 5_01], 19_50],
  ['a car: the whole price, whatever the seats', [car, 3, null], 40_00],
  ['a car, an offer below it', [car, 1, 39_99], 39_99],
  ['a car, an offer of just as much', [car, 1, 40_00], 40_00],
  ['a car, an offer above it', [car, 1, 40_01], 40_00],
  ['a car, an offer for two seats', [car, 2, 15_00], 30_00],
  ['a free ride', [{ priceKind: 'perCar', costCents: 0 }, 1, 10_00], 0],
  [
    'the highest price, an offer a cent below it',
    [{ priceKind: 'perCar', costCents: 500_00 }, 1, 499_99],
    499_99,
  ],
  [
    'the highest price, an offer of it for each of eight',
    [{ priceKind: 'perCar', costCents: 500_00 }, 8, 500_00],
    500_00,
  ],
  ['eight seats that share an offer of half', [{ priceKind: 'perCar', costCents: 500_00 }, 8, 31_25], 250_00],
])('what is agreed at joining: %s', (_name, of, expected) => {
  expect(ceilingCents(...of)).toBe(expected);
});

test.each([
  ['one of four seats', car, { seats: 1, ceiling: 40_00, seatsInAll: 4 }, 10_00],
  ['one of eight', car, { seats: 1, ceiling: 40_00, seatsInAll: 8 }, 5_00],
  ['one of three, rounded down', car, { seats: 1, ceiling: 40_00, seatsInAll: 3 }, 13_33],
  ['all of them', car, { seats: 4, ceiling: 40_00, seatsInAll: 4 }, 40_00],
  [
    'one of eight, half a cent: down',
    { priceKind: 'perCar', costCents: 40_04 },
    { seats: 1, ceiling: 40_04, seatsInAll: 8 },
    5_00,
  ],
  [
    'one of eight, of the highest price',
    { priceKind: 'perCar', costCents: 500_00 },
    { seats: 1, ceiling: 500_00, seatsInAll: 8 },
    62_50,
  ],
  ['more than there are', car, { seats: 2, ceiling: 40_00, seatsInAll: 1 }, 40_00],
  ['never above the ceiling', car, { seats: 1, ceiling: 6_00, seatsInAll: 4 }, 6_00],
  [
    'per person there is no range',
    { priceKind: 'perPerson', costCents: 6_50 },
    { seats: 1, ceiling: 6_50, seatsInAll: 4 },
    6_50,
  ],
] as const)('what it may come to at least: %s', (_name, ride, of, expected) => {
  expect(leastShareCents(ride, of)).toBe(expected);
});
