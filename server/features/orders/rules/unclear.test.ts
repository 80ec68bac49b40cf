import { expect, test } from 'vitest';
import { hourMs, later } from '../../../platform/clock.ts';
import { answerByAt, outcomeOf } from './unclear.ts';

test.each([
  [true, true, false, 'happened'],
  [false, false, false, 'notHappened'],
  [true, false, false, 'contested'],
  [false, true, false, 'contested'],
  [true, null, false, 'contested'],
  [null, true, false, 'contested'],
  [false, null, false, 'contested'],
  [null, false, false, 'contested'],
  [null, null, false, 'contested'],
  // A confirmed boarding counts as the passenger's yes.
  [null, null, true, 'happened'],
  [true, null, true, 'happened'],
  [false, null, true, 'contested'],
  [false, false, true, 'notHappened'],
] as const)('driver %s, passenger %s, aboard %s: %s', (driver, passenger, wasAboard, outcome) => {
  expect(outcomeOf({ driver, passenger, wasAboard })).toBe(outcome);
});

const now = new Date('2026-11-24T12:00:00Z');
test.each([
  [null, 48],
  [96, 48],
  [72, 48],
  [71, 47],
  [30, 6],
  // Less than the day that an admin needs is left: both are asked as long as an answer can still count.
  [10, 10],
  [-5, 0],
])('decided within %s h: asked for %i h', (decideHours, hours) => {
  const decideBy = decideHours === null ? null : later(now, decideHours * hourMs);
  expect(answerByAt(now, decideBy)).toEqual(later(now, hours * hourMs));
});
