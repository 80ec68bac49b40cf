import { expect, test } from 'vitest';
import { feesOf } from './fees.ts';

const terms = { serviceFeeBasisPoints: 1000, cardFeeBasisPoints: 290, cardFeeCents: 30 };

test.each([
  // amount, given back, fees: a tenth, 2.9 % and 30 cents
  [0, 0, 0],
  [6_50, 0, 84 + 30],
  [12_00, 0, 1_55 + 30],
  [500_00, 0, 64_50 + 30],
  // Never more than there is.
  [25, 0, 25],
  // What goes back takes its part of the fees with it.
  [12_00, 6_00, 92],
  [12_00, 12_00, 0],
])('of %i cents, %i given back, %i are kept', (amountCents, refundedCents, fees) => {
  expect(feesOf(amountCents, terms, refundedCents)).toBe(fees);
});
