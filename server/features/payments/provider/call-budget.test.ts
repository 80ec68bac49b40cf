import { expect, test } from 'vitest';
import { CallBudget } from '../state.ts';

test('a second’s calls may come at once, the next ones wait their turn', () => {
  const budget = new CallBudget(10);
  const waits = Array.from({ length: 13 }, () => budget.reserve(5000));
  expect(waits.slice(0, 10).every((waitMs) => waitMs === 0)).toBe(true);
  expect(waits.slice(10).map(Math.round)).toEqual([100, 200, 300]);
  // Two seconds later there is room again.
  expect(budget.reserve(7000)).toBe(0);
});

test('test money has no such limit', () => {
  const budget = new CallBudget(Infinity);
  expect(Array.from({ length: 1000 }, () => budget.reserve(0)).every((waitMs) => waitMs === 0)).toBe(true);
});
