import { describe, expect, test } from 'vitest';
import { pricingOf, suggestedCents } from './pricing.ts';

const draft = { price: null, costCents: null, seats: 3 } as const;

describe('what a ride costs before the driver says so', () => {
  test.each([
    ['a way worth less than the minimum is free', 49, { kind: 'free', costCents: 0 }],
    ['a way at the minimum costs it', 50, { kind: 'perPerson', costCents: 50 }],
    [
      'a short way costs its share, though it is below the least offer',
      3_20,
      { kind: 'perPerson', costCents: 3_00 },
    ],
    ['a long way costs the advised share in round figures', 8_37, { kind: 'perPerson', costCents: 8_50 }],
  ])('%s', (_name, advisedShareCents, expected) => {
    expect(pricingOf(draft, { advisedShareCents }, true)).toEqual(expected);
  });

  test('a price for the car begins with a share for every seat', () => {
    expect(pricingOf({ ...draft, price: 'perCar' }, { advisedShareCents: 8_00 }, true).costCents).toBe(24_00);
  });

  test('what the driver says counts', () => {
    expect(
      pricingOf({ ...draft, price: 'perPerson', costCents: 7_25 }, { advisedShareCents: 1_00 }, true),
    ).toEqual({ kind: 'perPerson', costCents: 7_25 });
    expect(pricingOf({ ...draft, price: 'free', costCents: 7_25 }, null, true)).toEqual({
      kind: 'free',
      costCents: 0,
    });
  });

  test('whoever cannot be paid begins free, and keeps a price they have chosen', () => {
    const quote = { advisedShareCents: 8_37 };
    expect(pricingOf(draft, quote, false).kind).toBe('free');
    expect(pricingOf(draft, quote, null).kind).toBe('perPerson');
    expect(pricingOf({ ...draft, price: 'perCar' }, quote, false).kind).toBe('perCar');
  });
});

test('the price of a car begins where each of its seats still pays what card providers charge', () => {
  expect(suggestedCents('perCar', 4, 20)).toBe(2_00);
  expect(suggestedCents('perCar', 3, 8_37)).toBe(25_00);
  expect(suggestedCents('perPerson', 4, 20)).toBe(50);
});
