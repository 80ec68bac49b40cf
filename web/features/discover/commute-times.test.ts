import { expect, test } from 'vitest';
import { alertTimes, firstDeparture, placeIn } from './commute-times.ts';

const commute = { days: [2, 4], fromTime: '07:30', toTime: '08:10' };

test('an alert takes in who leaves a little earlier or later, also around midnight', () => {
  expect(alertTimes(commute, '2026-11-23')).toEqual({
    kind: 'weekly',
    days: [2, 4],
    fromTime: '07:10',
    toTime: '08:30',
    until: '2027-01-18',
  });
  expect(alertTimes({ ...commute, fromTime: '00:10', toTime: '23:50' }, '2026-11-23')).toMatchObject({
    fromTime: '23:50',
    toTime: '00:10',
  });
});

test.each([
  ['2026-11-23', '2026-11-24T07:50'],
  // Today is one of the days: the week begins with the next.
  ['2026-11-24', '2026-11-26T07:50'],
  ['2026-11-26', '2026-12-01T07:50'],
])('a week that is planned on %s begins at %s', (today, expected) => {
  expect(firstDeparture(commute, today)).toBe(expected);
});

test('the middle of a span over midnight, to five minutes', () => {
  expect(firstDeparture({ days: [1], fromTime: '23:40', toTime: '00:30' }, '2026-11-22')).toBe(
    '2026-11-23T00:05',
  );
});

test('one’s own shortcut in a neighbourhood is the better start', () => {
  const area = { name: 'Live Oak', detail: 'Santa Cruz', lon: -121.98, lat: 36.98 };
  const home = { name: '1530 Capitola Road', detail: 'Santa Cruz', lon: -121.984, lat: 36.976 };
  const work = { name: 'Library', detail: 'Santa Cruz', lon: -122.06, lat: 36.999 };
  expect(placeIn(area, [work, home])).toEqual(home);
  expect(placeIn(area, [work])).toEqual(area);
});
