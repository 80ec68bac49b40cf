import { describe, expect, test } from 'vitest';
import { pricingOf } from './pricing.ts';

const draft = { price: null, costCents: null, seats: 3 } as const;

describe('what a ride costs before the driver says so', () => {
  test.each([
    ['a short way is free', 3_20, { kind: 'free', costCents: 0 }],
    ['a way at the minimum is free', 5_00, { kind: 'free', costCents: 0 }],
    ['a way just above it costs more than the minimum', 5_10, { kind: 'perPerson', costCents: 5_50 }],
    ['a long way costs the advised share in round figures', 8_37, { kind: 'perPerson', costCents: 8_50 }],
  ])('%s', (_name, advisedShareCents, expected) => {
    expect(pricingOf(draft, { advisedShareCents })).toEqual(expected);
  });

  test('a price for the car begins with a share for every seat', () => {
    expect(pricingOf({ ...draft, price: 'perCar' }, { advisedShareCents: 8_00 }).costCents).toBe(24_00);
  });

  test('what the driver says counts', () => {
    expect(pricingOf({ ...draft, price: 'perPerson', costCents: 7_25 }, { advisedShareCents: 1_00 })).toEqual(
      { kind: 'perPerson', costCents: 7_25 },
    );
    expect(pricingOf({ ...draft, price: 'free', costCents: 7_25 }, null)).toEqual({
      kind: 'free',
      costCents: 0,
    });
  });
});
