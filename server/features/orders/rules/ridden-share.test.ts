import { array, assert, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { riddenOf, settledShare, shareRidden } from './ridden-share.ts';

// start → pick-up A → pick-up B → drop-off A → drop-off B → end
const legs = [1_000, 2_000, 3_000, 4_000, 500];
const a = { pickup: 1, dropoff: 3 };
const b = { pickup: 2, dropoff: 4 };

test.each([
  { name: 'nobody knows where: as far as the last stop', passed: 2, toNextMetres: null, a: 2_000, b: 0 },
  { name: 'a kilometre before the next stop', passed: 2, toNextMetres: 1_000, a: 4_000, b: 2_000 },
  { name: 'at the next stop, which nobody has said', passed: 2, toNextMetres: 0, a: 5_000, b: 3_000 },
  { name: 'far off the route: no less than the stops say', passed: 2, toNextMetres: 90_000, a: 2_000, b: 0 },
  { name: 'before the pick-up', passed: 0, toNextMetres: 400, a: 0, b: 0 },
  { name: 'past the drop-off', passed: 3, toNextMetres: 1_000, a: 5_000, b: 6_000 },
])('$name', ({ passed, toNextMetres, a: ofA, b: ofB }) => {
  const progress = { legs, passed, toNextMetres };
  expect(riddenOf(progress, a)).toEqual({ routeMetres: 5_000, riddenMetres: ofA });
  expect(riddenOf(progress, b)).toEqual({ routeMetres: 7_000, riddenMetres: ofB });
});

test.each([
  [2_000, 1, 3, 666],
  [1_999, 7_000, 7_000, 1_999],
  [50_000, 0, 7_000, 0],
  [1_333, 5, 0, 0],
  [1, 6_999, 7_000, 0],
  [1, 7_000, 7_000, 1],
  // Half a cent goes to the passenger.
  [1_001, 3_500, 7_000, 500],
  [50, 3_500, 7_000, 25],
  [50_000, 6_999, 7_000, 49_992],
  [50_000, 7_000, 7_000, 50_000],
  [62_50, 3_500, 7_000, 31_25],
])('%i cents for %i of %i metres: %i', (fareCents, riddenMetres, routeMetres, share) => {
  expect(shareRidden(fareCents, { routeMetres, riddenMetres })).toBe(share);
});

test('whatever the route, a share is whole cents, never above the price, and grows with the way alone', () => {
  const metres = integer({ min: 0, max: 400_000 });
  assert(
    property(
      record({
        lengths: array(metres, { minLength: 1, maxLength: 9 }),
        fareCents: integer({ min: 0, max: 400_000 }),
        passed: integer({ min: 0, max: 9 }),
        pickup: integer({ min: 0, max: 9 }),
        more: integer({ min: 1, max: 9 }),
        left: metres,
        nearer: metres,
      }),
      ({ lengths, fareCents, passed, pickup, more, left, nearer }) => {
        const own = { pickup, dropoff: pickup + more };
        const at = (toNextMetres: number | null) => riddenOf({ legs: lengths, passed, toNextMetres }, own);
        const [unknown, far, near] = [at(null), at(left), at(Math.max(0, left - nearer))];
        for (const ridden of [unknown, far, near]) {
          const share = shareRidden(fareCents, ridden);
          expect(Number.isInteger(share)).toBe(true);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(fareCents);
          // Exact: the next cent would be more than was ridden.
          expect(share * ridden.routeMetres).toBeLessThanOrEqual(fareCents * ridden.riddenMetres);
          if (ridden.routeMetres > 0)
            expect((share + 1) * ridden.routeMetres).toBeGreaterThan(fareCents * ridden.riddenMetres);
        }
        expect(shareRidden(fareCents, near)).toBeGreaterThanOrEqual(shareRidden(fareCents, far));
        expect(far.riddenMetres).toBeGreaterThanOrEqual(unknown.riddenMetres);
      },
    ),
  );
});

test.each([
  { name: 'may still be objected to', decidedCents: null, taken: 0, refunded: 0, dispute: null, is: null },
  { name: 'is taken', decidedCents: null, taken: 900, refunded: 0, dispute: null, is: 900 },
  { name: 'is decided and not taken yet', decidedCents: 300, taken: 0, refunded: 0, dispute: null, is: 300 },
  {
    name: 'is taken and given back in part',
    decidedCents: 300,
    taken: 300,
    refunded: 100,
    dispute: null,
    is: 200,
  },
  { name: 'was let go for an objection', decidedCents: null, taken: 0, refunded: 0, dispute: 900, is: 0 },
])('a share of $9.00 that $name', ({ decidedCents, taken, refunded, dispute, is }) => {
  const payment = {
    capturedCents: taken,
    refundedCents: refunded,
    dispute: dispute === null ? null : { state: 'resolved' as const, refundCents: dispute },
  };
  expect(settledShare({ shareCents: 900, decidedCents }, payment)).toBe(is);
});
