import { expect, test } from 'vitest';
import { firstBack, firstWeek, isDayAfter, planOf } from './repeat.ts';

const place = (name: string) => ({ name, detail: '', lon: 0, lat: 0 });
const ride = {
  role: 'driver' as const,
  from: place('home'),
  to: place('work'),
  departsAt: '2026-11-24T15:15:00.000Z',
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson' as const,
  costCents: 0,
  eventId: null,
};
const once = { local: '2026-11-24T07:15', back: null, weekly: null, flexMinutes: 15 };
const back = { local: '2026-11-24T17:30', seats: 2 };
const weekly = { weekdays: [2, 4], untilDay: '2026-12-18' };
const zone = 'America/Los_Angeles';

test('a plan is one order, there and back, or a series of either', () => {
  expect(planOf(ride, once, zone)).toEqual({ kind: 'one', order: ride });
  expect(planOf(ride, { ...once, back }, zone)).toMatchObject({
    kind: 'pair',
    order: ride,
    back: {
      from: { name: 'work' },
      to: { name: 'home' },
      seats: 2,
      departsAt: '2026-11-25T01:30:00.000Z',
    },
  });
  const plan = planOf(ride, { ...once, back, weekly }, zone);
  expect(plan).toMatchObject({
    kind: 'series',
    series: { order: { seats: 3 }, rule: { ...weekly, localTime: '07:15', fromDay: '2026-11-24' } },
    back: { order: { seats: 2, from: { name: 'work' } }, rule: { ...weekly, localTime: '17:30' } },
  });
  expect(JSON.stringify(plan)).not.toContain('departsAt');
});

test('a request keeps its window on the way back, and as minutes in a series', () => {
  const request = {
    role: 'passenger' as const,
    from: place('home'),
    to: place('work'),
    earliestAt: '2026-11-24T15:00:00.000Z',
    latestAt: '2026-11-24T15:30:00.000Z',
    seats: 1,
  };
  expect(planOf(request, { ...once, back }, zone)).toMatchObject({
    back: { earliestAt: '2026-11-25T01:15:00.000Z', latestAt: '2026-11-25T01:45:00.000Z' },
  });
  expect(planOf(request, { ...once, weekly }, zone)).toMatchObject({
    series: { order: { flexMinutes: 15 } },
    back: null,
  });
});

test('what is filled in first', () => {
  expect(firstBack('2026-11-24T18:15', 2)).toEqual({ local: '2026-11-25T02:15', seats: 2 });
  expect(firstWeek('2026-11-24T07:15')).toEqual({ weekdays: [2], untilDay: '2026-12-22' });
  expect(firstWeek('')).toEqual({ weekdays: [], untilDay: '' });
});

test.each([
  ['22:00', '06:00', true],
  ['07:15', '17:30', false],
  ['07:15', '07:15', false],
  ['07:15', '', false],
  ['', '06:00', false],
])('there at %s and back at %s: the day after is %s', (there, back, expected) => {
  expect(isDayAfter(there, back)).toBe(expected);
});
