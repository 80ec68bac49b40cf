import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { cancelFee, noShowFee, type CancelTerms } from './cancel-fee.ts';

const terms: CancelTerms = {
  freeBeforeHours: 24,
  lateWithinHours: 2,
  midPercent: 50,
  latePercent: 100,
  graceMinutes: 0,
};
const departsAt = new Date('2026-11-24T15:00:00.000Z');
const joinedAt = new Date('2026-11-20T15:00:00.000Z');
const [secondMs, hourMs] = [1000, 3_600_000];

const feeAt = (beforeMs: number, fareCents = 20_00, of: Partial<CancelTerms> = {}, joined = joinedAt) =>
  cancelFee({ fareCents, joinedAt: joined, departsAt }, new Date(departsAt.getTime() - beforeMs), {
    ...terms,
    ...of,
  });

test.each([
  ['more than 24 hours ahead by a millisecond', 24 * hourMs + 1, 0, 0],
  ['24 hours ahead to the millisecond', 24 * hourMs, 50, 10_00],
  ['24 hours less a second', 24 * hourMs - secondMs, 50, 10_00],
  ['2 hours and a millisecond', 2 * hourMs + 1, 50, 10_00],
  ['2 hours to the millisecond', 2 * hourMs, 100, 20_00],
  ['a second before departure', secondMs, 100, 20_00],
  ['at departure', 0, 100, 20_00],
  ['after departure', -hourMs, 100, 20_00],
])('%s', (_when, beforeMs, percent, cents) => {
  expect(feeAt(beforeMs)).toEqual({ cents, percent, isGrace: false });
});

test.each([
  ['one cent', 1, 50, 1],
  ['half a cent is rounded up', 12_35, 50, 6_18],
  ['an even share', 12_34, 50, 6_17],
  ['a third of a share', 10_01, 33, 3_30],
  ['nothing', 0, 50, 0],
  ['the highest price', 500_00, 50, 250_00],
  ['a cent below it, half a cent up', 499_99, 50, 250_00],
  ['the least price', 50, 50, 25],
  ['an eighth of the highest price', 62_50, 50, 31_25],
])('%s', (_what, fareCents, midPercent, cents) => {
  expect(feeAt(5 * hourMs, fareCents, { midPercent }).cents).toBe(cents);
});

test('nothing before the ride is confirmed, however close the departure', () => {
  expect(cancelFee({ fareCents: 20_00, joinedAt: null, departsAt }, departsAt, terms).cents).toBe(0);
});

test('a grace is a setting: it ends to the millisecond, and never covers the last hours', () => {
  const joined = new Date(departsAt.getTime() - 10 * hourMs);
  const minutesAfter = (minutes: number, moreMs = 0) =>
    feeAt(10 * hourMs - minutes * 60_000 - moreMs, 20_00, { graceMinutes: 30 }, joined);
  expect(minutesAfter(29)).toEqual({ cents: 0, percent: 0, isGrace: true });
  expect(minutesAfter(30, -1).isGrace).toBe(true);
  expect(minutesAfter(30)).toEqual({ cents: 10_00, percent: 50, isGrace: false });
  expect(feeAt(10 * hourMs, 20_00, {}, joined)).toEqual({ cents: 10_00, percent: 50, isGrace: false });
  const late = new Date(departsAt.getTime() - hourMs);
  expect(feeAt(hourMs, 20_00, { graceMinutes: 30 }, late).percent).toBe(100);
});

test.each([
  [20_00, 100, 20_00],
  [20_00, 0, 0],
  [1, 100, 1],
  [0, 100, 0],
  [12_35, 50, 6_18],
  [12_34, 50, 6_17],
  [500_00, 100, 500_00],
])('not coming, of %i cents at %i percent: %i', (fareCents, latePercent, cents) => {
  expect(noShowFee(fareCents, { latePercent })).toBe(cents);
});

test('a fee is never more than the share, and never falls as the departure comes nearer', () => {
  assert(
    property(
      integer({ min: 0, max: 500_00 }),
      integer({ min: -hourMs, max: 48 * hourMs }),
      integer({ min: 0, max: 48 * hourMs }),
      (fareCents, beforeMs, laterMs) => {
        const { cents } = feeAt(beforeMs, fareCents);
        expect(cents).toBeGreaterThanOrEqual(0);
        expect(cents).toBeLessThanOrEqual(fareCents);
        expect(feeAt(beforeMs - laterMs, fareCents).cents).toBeGreaterThanOrEqual(cents);
      },
    ),
  );
});
