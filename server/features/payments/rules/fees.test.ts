import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { feeOf } from '#contract/payments/fees.ts';
import { feeBackOf } from './fees.ts';

const terms = { serviceFeeBasisPoints: 1000, cardFeeBasisPoints: 290, cardFeeCents: 30 };

test.each([
  ['nothing', 0, 0],
  ['a cent: never more than was taken', 1, 1],
  ['the last amount that is all fee', 34, 34],
  ['a cent above it', 35, 35],
  ['the first of which something is left', 36, 35],
  ['the least that is taken', 50, 36],
  ['just below half a cent: down', 96, 42],
  ['$20', 20_00, 2_88],
  ['half a cent: up', 15_00, 2_24],
  ['an eighth of the highest price', 62_50, 8_36],
  ['a cent below the highest price', 499_99, 64_80],
  ['the highest price', 500_00, 64_80],
])('the fee of %s', (_what, capturedCents, feeCents) => {
  expect(feeOf(capturedCents, terms)).toBe(feeCents);
});

test('without fees everything is the driver’s', () => {
  const none = { serviceFeeBasisPoints: 0, cardFeeBasisPoints: 0, cardFeeCents: 0 };
  for (const cents of [0, 50, 500_00]) expect(feeOf(cents, none)).toBe(0);
});

test.each([
  ['nothing goes back', { feeCents: 288, capturedCents: 2000, beforeCents: 0, afterCents: 0 }, 0],
  ['all goes back', { feeCents: 288, capturedCents: 2000, beforeCents: 0, afterCents: 2000 }, 288],
  ['half goes back', { feeCents: 288, capturedCents: 2000, beforeCents: 0, afterCents: 1000 }, 144],
  ['a cent goes back', { feeCents: 288, capturedCents: 2000, beforeCents: 0, afterCents: 1 }, 0],
  [
    'the odd cent of a fee, at half a cent up',
    { feeCents: 289, capturedCents: 2000, beforeCents: 0, afterCents: 1000 },
    145,
  ],
  [
    'and the other half of it',
    { feeCents: 289, capturedCents: 2000, beforeCents: 1000, afterCents: 2000 },
    144,
  ],
  ['nothing was taken', { feeCents: 0, capturedCents: 0, beforeCents: 0, afterCents: 0 }, 0],
])('of a fee, when %s', (_what, { feeCents, capturedCents, beforeCents, afterCents }, backCents) => {
  expect(feeBackOf(feeCents, capturedCents, { beforeCents, afterCents })).toBe(backCents);
});

test('a fee lies between nothing and what was taken, grows with it, and comes back whole in whatever steps', () => {
  const amounts = integer({ min: 0, max: 500_00 });
  assert(
    property(
      amounts,
      integer({ min: 0, max: 1_00 }),
      array(amounts, { maxLength: 6 }),
      (taken, more, steps) => {
        const fee = feeOf(taken, terms);
        expect(fee).toBeGreaterThanOrEqual(0);
        expect(fee).toBeLessThanOrEqual(taken);
        expect(feeOf(taken + more, terms)).toBeGreaterThanOrEqual(fee);
        const points = [...steps.filter((cents) => cents < taken).toSorted((a, b) => a - b), taken];
        let beforeCents = 0;
        let back = 0;
        for (const afterCents of points) {
          back += feeBackOf(fee, taken, { beforeCents, afterCents });
          beforeCents = afterCents;
        }
        expect(back).toBe(fee);
      },
    ),
  );
});
