import { expect, test } from 'vitest';
import { feesOf } from './fees.ts';

const terms = { serviceFeeBasisPoints: 1000, cardFeeBasisPoints: 290, cardFeeCents: 30 };

test.each([
  // amount, fees: a tenth, 2.9 % and 30 cents
  [0, 0],
  [6_50, 65 + 19 + 30],
  [12_00, 1_20 + 35 + 30],
  [500_00, 50_00 + 14_50 + 30],
  // Never more than there is.
  [25, 25],
])('of %i cents %i are kept', (amountCents, fees) => {
  expect(feesOf(amountCents, terms)).toBe(fees);
});
