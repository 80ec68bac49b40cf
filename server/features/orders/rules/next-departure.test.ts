import { expect, test } from 'vitest';
import { nextDeparture } from './next-departure.ts';

const at = (time: string) => new Date(`2026-11-24T${time}Z`);
const ride = { departsAt: at('07:30:00'), latestDepartsAt: at('08:32:00') };

test.each([
  ['07:29:59', null],
  ['07:30:00', '07:35:00'],
  ['08:10:01', '08:15:00'],
  ['08:29:59', '08:30:00'],
  ['08:31:00', '08:32:00'],
  ['08:32:00', null],
])('at %s: %s', (now, departs) => {
  expect(nextDeparture(ride, at(now))).toEqual(departs === null ? null : at(departs));
});
