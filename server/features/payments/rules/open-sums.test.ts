import { expect, test } from 'vitest';
import { dayMs, hourMs, later } from '../../../platform/clock.ts';
import { isToBeTold, openSumAfter, type OpenSum } from './open-sums.ts';

const start = new Date('2026-11-23T15:00:00Z');

/** The checks of a sum, one an hour; the instants at which admins are notified, in hours, with the amount. */
function toldOf(looks: readonly number[]): [hours: number, cents: number][] {
  const told: [number, number][] = [];
  let open: OpenSum | undefined;
  for (const [hours, cents] of looks.entries()) {
    const now = later(start, hours * hourMs);
    open = openSumAfter(open, cents, now) ?? undefined;
    if (open === undefined || !isToBeTold(open, now)) continue;
    told.push([hours, open.cents]);
    open = { ...open, toldCents: open.cents };
  }
  return told;
}
const hours = (count: number, cents: number) => Array<number>(count).fill(cents);
const days = (count: number) => (count * dayMs) / hourMs;

test.each<[string, number[], [number, number][]]>([
  ['nothing is open', hours(days(6), 0), []],
  ['it is closed an hour before', [...hours(days(4), 2000), 0, ...hours(days(3), 2000)], []],
  ['it stays: told once', hours(days(8), 2000), [[days(4), 2000]]],
  ['what is on its way is not what stays', [700, ...hours(days(5), 2500)], [[days(4), 700]]],
  ['money on its way to and fro', Array.from({ length: days(6) }, (_, at) => (at % 2 ? 900 : -900)), []],
  [
    'a part of it is closed later',
    [...hours(days(5), -2000), ...hours(days(1), -500)],
    [
      [days(4), -2000],
      [days(5), -500],
    ],
  ],
])('%s', (_what, looks, told) => {
  expect(toldOf(looks)).toEqual(told);
});
