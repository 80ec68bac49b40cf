import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeries, endSeries, updateSeries } from '#contract/rides/recurring.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { statementsOf } from '../../../testing/booking-statements.ts';
import { spots } from '../../../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  // A Friday.
  app = await openTestApp({ startsAt: new Date('2026-10-23T17:00:00Z') });
});
afterAll(() => app.close());

const order = {
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
} as const;
const rule = { fromDay: '2026-10-24', untilDay: '2026-12-20' };

/** The statements that set up a weekly ride, change its time, change its seats, and end it. */
async function countStatements(weekdays: number[]) {
  const driver = await app.person(`Weekly ${weekdays.join('')}`);
  let id = '';
  const change = (seats: number, localTime: string) =>
    app.ok(driver, updateSeries, {
      id,
      series: { order: { ...order, seats }, rule: { ...rule, weekdays, localTime } },
    });
  const steps: (() => Promise<{ days: number }>)[] = [
    async () => {
      const input = { series: { order, rule: { ...rule, weekdays, localTime: '07:15' } } };
      const [made] = (await app.ok(driver, createSeries, input)).series;
      id = made!.id;
      return { days: made!.days.filter(({ state }) => state === 'open').length };
    },
    async () => ({ days: (await change(3, '09:30')).changed }),
    async () => ({ days: (await change(2, '09:30')).changed }),
    async () => ({ days: (await app.ok(driver, endSeries, { id })).canceled }),
  ];
  const counted: { days: number; statements: number }[] = [];
  for (const step of steps) {
    let days = 0;
    const statements = await statementsOf(async () => ({ days } = await step()));
    counted.push({ days, statements: statements.length });
  }
  return counted;
}

test('a weekly ride of ten coming days is set up, changed and ended by as many statements as one of two', async () => {
  const two = await countStatements([1]);
  const ten = await countStatements([1, 2, 3, 4, 5]);
  expect(two.map(({ days }) => days)).toEqual([2, 2, 2, 2]);
  expect(ten.map(({ days }) => days)).toEqual([10, 10, 10, 10]);
  for (const [step, { statements }] of ten.entries())
    expect(statements, `step ${step}`).toBeLessThanOrEqual(two[step]!.statements + 1);
});
