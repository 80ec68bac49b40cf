import { assert, boolean, integer, property, record, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feeOf } from '#contract/payments/fees.ts';
import { netOfCar } from '#contract/rides/driver-net.ts';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import { carShares } from './car-shares.ts';

const minute = (at: number) => new Date(Date.UTC(2026, 10, 20, 12, at));

/** People of a car that costs so much, each with their seats; the first has joined first. */
const aboard = (costCents: number, seats: readonly number[], ceilings: readonly number[] = []) =>
  seats.map((each, index) => ({
    id: String(index),
    seats: each,
    fareCents: ceilings[index] ?? costCents,
    joinedAt: minute(index),
    lateFeeCents: null as number | null,
  }));

const shares = (
  costCents: number,
  seats: readonly number[],
  more: { ceilings?: number[]; fees?: number[] } = {},
) => {
  const riders = aboard(costCents, seats, more.ceilings);
  const gone = (more.fees ?? []).map((lateFeeCents, index) => ({
    ...aboard(costCents, [1])[0]!,
    id: `gone ${index}`,
    lateFeeCents,
  }));
  return [...carShares({ priceKind: 'perCar', costCents }, riders, [...gone, ...riders]).values()];
};

describe('a car’s price among those who rode', () => {
  test.each([
    ['one alone pays it all', 40_00, [1], [40_00]],
    ['two', 40_00, [1, 1], [20_00, 20_00]],
    ['three: the odd cent to the first', 40_00, [1, 1, 1], [13_34, 13_33, 13_33]],
    ['by seats', 40_00, [2, 1], [26_67, 13_33]],
    ['eight', 40_00, [1, 1, 1, 1, 1, 1, 1, 1], Array<number>(8).fill(5_00)],
    ['eight and a cent', 40_01, [1, 1, 1, 1, 1, 1, 1, 1], [5_01, ...Array<number>(7).fill(5_00)]],
    ['eight and seven cents', 40_07, [1, 1, 1, 1, 1, 1, 1, 1], [...Array<number>(7).fill(5_01), 5_00]],
    ['one with eight seats', 40_00, [8], [40_00]],
    ['the highest price, alone', 500_00, [1], [500_00]],
    ['the highest price, eight', 500_00, [1, 1, 1, 1, 1, 1, 1, 1], Array<number>(8).fill(62_50)],
    ['a cent below it, eight', 499_99, [1, 1, 1, 1, 1, 1, 1, 1], [...Array<number>(7).fill(62_50), 62_49]],
    ['a cent, two', 1, [1, 1], [1, 0]],
    ['half a cent each, two', 20_01, [1, 1], [10_01, 10_00]],
    ['the least price', 50, [1, 1, 1, 1, 1, 1, 1, 1], [7, 7, 6, 6, 6, 6, 6, 6]],
    ['nobody', 40_00, [], []],
  ] as const)('%s', (_name, costCents, seats, expected) => {
    expect(shares(costCents, seats)).toEqual(expected);
  });

  test('whoever offered less pays no more than that, and the others no more for it', () => {
    expect(shares(40_00, [1, 1], { ceilings: [40_00, 15_00] })).toEqual([20_00, 15_00]);
    expect(shares(40_00, [1], { ceilings: [39_99] })).toEqual([39_99]);
    expect(shares(40_00, [1], { ceilings: [40_00] })).toEqual([40_00]);
  });

  test('what was owed for a place is not paid twice', () => {
    expect(shares(40_00, [1], { fees: [20_00] })).toEqual([20_00]);
    expect(shares(40_00, [1, 1], { fees: [10_00] })).toEqual([15_00, 15_00]);
    expect(shares(40_00, [1], { fees: [25_00, 15_00] })).toEqual([0]);
    expect(shares(40_00, [1], { fees: [25_00, 15_01] })).toEqual([0]);
  });

  test('who joined first comes first, in whatever order they are read', () => {
    const people = aboard(40_00, [1, 1, 1]);
    const of = carShares({ priceKind: 'perCar', costCents: 40_00 }, people.toReversed(), people);
    expect(of.get('0')).toBe(13_34);
  });
});

test('a price per person is what was agreed, whoever rides', () => {
  const people = aboard(0, [1, 2], [6_50, 13_00]);
  const of = carShares({ priceKind: 'perPerson', costCents: 6_50 }, people.slice(1), people);
  expect([...of]).toEqual([['1', 13_00]]);
});

test('whoever rides: the parts and the fees come to the price exactly, and nobody pays above their ceiling', () => {
  const person = record({
    id: integer({ min: 0, max: 999 }),
    seats: integer({ min: 1, max: 8 }),
    isThere: boolean(),
    fee: integer({ min: 0, max: 100_00 }),
    offer: integer({ min: 0, max: 600_00 }),
    offers: boolean(),
  });
  assert(
    property(
      integer({ min: 50, max: 500_00 }),
      uniqueArray(person, { minLength: 1, maxLength: 8, selector: ({ id }) => id }),
      (costCents, people) => {
        const all = people.map(({ id, seats, isThere, fee, offer, offers }, index) => ({
          id: String(id),
          seats,
          fareCents: offers ? Math.min(costCents, offer) : costCents,
          joinedAt: minute(index),
          lateFeeCents: isThere ? null : fee,
          isThere,
          offers,
        }));
        const riders = all.filter(({ isThere }) => isThere);
        const fees = all.reduce((sum, { lateFeeCents }) => sum + (lateFeeCents ?? 0), 0);
        const of = carShares({ priceKind: 'perCar', costCents }, riders, all);
        const sum = [...of.values()].reduce((cents, each) => cents + each, 0);
        for (const { id, fareCents } of riders) expect(of.get(id)!).toBeLessThanOrEqual(fareCents);
        expect(sum).toBeLessThanOrEqual(Math.max(0, costCents - fees));
        if (riders.length > 0 && riders.every(({ offers }) => !offers))
          expect(sum).toBe(Math.max(0, costCents - fees));
      },
    ),
  );
});

const feeTerms = { serviceFeeBasisPoints: 1000, cardFeeBasisPoints: 290, cardFeeCents: 30 };

/** A driver's income of shares: each is captured with its own fee, less than 50 cents is waived. */
const received = (taken: readonly number[]): number =>
  taken
    .filter((cents) => cents >= minimumPriceCents)
    .reduce((sum, cents) => sum + cents - feeOf(cents, feeTerms), 0);

test.each([1_40, 2_00, 8_00, 25_01, 40_00, 500_00])(
  'the net that is shown of a car for %i cents holds for every number of riders',
  (costCents) => {
    const taken = [[1], [2], [3], [4], [1, 1], [2, 1], [1, 2], [1, 1, 1], [3, 1], [1, 1, 2], [1, 1, 1, 1]];
    const nets = taken.map((seats) => received(shares(costCents, seats)));
    const { leastCents, mostCents } = netOfCar({ costCents, seats: 4 }, feeTerms);
    expect(Math.min(...nets)).toBe(leastCents);
    expect(Math.max(...nets)).toBe(mostCents);
  },
);
