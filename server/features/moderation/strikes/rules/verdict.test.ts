import { expect, test } from 'vitest';
import { countedSince, isStrike, verdictOf } from './verdict.ts';

const figures = { withinHours: 24, months: 6, forReview: 2, forSuspension: 3 };
const departsAt = new Date('2026-11-24T09:00:00Z');

test.each([
  ['2026-11-23T08:59:59Z', false],
  ['2026-11-23T09:00:00Z', true],
  ['2026-11-24T09:20:00Z', true],
])('canceled at %s: %s', (at, counts) => {
  expect(isStrike(new Date(at), departsAt, figures)).toBe(counts);
});

test.each([
  [1, 1, null],
  [2, 2, 'review'],
  [3, 3, 'suspend'],
  [4, 4, 'suspend'],
  // Strikes by the system are reviewed each time and never suspend.
  [2, 0, 'review'],
  [3, 0, 'review'],
  [9, 2, 'review'],
  [4, 3, 'suspend'],
])('%i strikes, %i of them said: %s', (all, said, verdict) => {
  expect(verdictOf({ all, said }, figures)).toBe(verdict);
});

test.each([
  ['2026-11-24T09:00:00Z', '2026-05-24T09:00:00Z'],
  ['2026-03-10T00:00:00Z', '2025-09-10T00:00:00Z'],
  ['2026-08-31T12:00:00Z', '2026-02-28T12:00:00Z'],
])('at %s counts what came after %s', (now, since) => {
  expect(countedSince(new Date(now), figures)).toEqual(new Date(since));
});
