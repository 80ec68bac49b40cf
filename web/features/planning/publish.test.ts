import { beforeAll, expect, test } from 'vitest';
import { stubBrowser } from '../../core/stub-browser.ts';
import type { PlanValues } from './plan-values.ts';

stubBrowser();
const { startWords } = await import('../../core/i18n.ts');
const { emptyPlan } = await import('./plan-values.ts');
const { rideOf } = await import('./publish.ts');

beforeAll(() => startWords(['common', 'reasons', 'sentences']));

const priceProblem = (price: 'perPerson' | 'perCar', costCents: number, more: Partial<PlanValues>) => {
  const context = { zone: 'UTC', quote: null, now: 0, canBePaid: true, contactWith: 'chat' } as const;
  const draft = { ...emptyPlan.driver, price, costCents, ...more };
  return rideOf(draft, 'vehicle', context).problems.costCents;
};
const back = { local: '2026-11-24T17:00', seats: 4 };

test.each([
  [
    'a car of which a seat would pay 46 cents',
    priceProblem.bind(null, 'perCar', 1_40, { seats: 3 }),
    '$1.50',
  ],
  ['a car that is free', priceProblem.bind(null, 'perCar', 0, { seats: 3 }), '$1.50'],
  [
    'a car with more seats on the way back',
    priceProblem.bind(null, 'perCar', 1_50, { seats: 3, back }),
    '$2',
  ],
  ['a person who would pay 49 cents', priceProblem.bind(null, 'perPerson', 49, { seats: 3 }), '$0.50'],
])('the form refuses the price of %s, with the lowest that works', (_what, problem, lowest) => {
  expect(problem()).toContain(`at least ${lowest}`);
});

test('the form takes the lowest price that works', () => {
  expect(priceProblem('perCar', 1_50, { seats: 3 })).toBeUndefined();
  expect(priceProblem('perPerson', 50, { seats: 3 })).toBeUndefined();
});
