import { expect, test } from 'vitest';
import { mayGoOutAt } from './quiet-hours.ts';

const night = { on: true, from: '22:00', to: '07:00', timeZone: 'America/Los_Angeles' };

test.each([
  ['an evening before', night, '2026-11-24T05:59:30.000Z', '2026-11-24T05:59:30.000Z'],
  ['the first quiet minute', night, '2026-11-24T06:00:00.000Z', '2026-11-24T15:00:00.000Z'],
  ['after midnight', night, '2026-11-24T10:30:20.000Z', '2026-11-24T15:00:00.000Z'],
  ['the last quiet minute', night, '2026-11-24T14:59:59.000Z', '2026-11-24T15:00:00.000Z'],
  ['the minute it ends', night, '2026-11-24T15:00:00.000Z', '2026-11-24T15:00:00.000Z'],
  ['switched off', { ...night, on: false }, '2026-11-24T10:30:00.000Z', '2026-11-24T10:30:00.000Z'],
  [
    'a nap by day',
    { ...night, from: '13:00', to: '14:00' },
    '2026-11-24T21:15:00.000Z',
    '2026-11-24T22:00:00.000Z',
  ],
  [
    'in another zone',
    { ...night, timeZone: 'Asia/Shanghai' },
    '2026-11-24T15:00:00.000Z',
    '2026-11-24T23:00:00.000Z',
  ],
  [
    'equal times',
    { ...night, from: '08:00', to: '08:00' },
    '2026-11-24T16:00:00.000Z',
    '2026-11-24T16:00:00.000Z',
  ],
  // Clocks in California go from 2:00 to 3:00 on 8 March 2026.
  ['the night of the lost hour', night, '2026-03-08T08:00:00.000Z', '2026-03-08T14:00:00.000Z'],
  [
    'an end within the lost hour',
    { ...night, to: '02:30' },
    '2026-03-08T08:00:00.000Z',
    '2026-03-08T10:00:00.000Z',
  ],
  // And from 2:00 back to 1:00 on 1 November.
  [
    'an end that the clock shows twice, before the first',
    { ...night, to: '01:30' },
    '2026-11-01T06:00:00.000Z',
    '2026-11-01T08:30:00.000Z',
  ],
  [
    'an end that the clock shows twice, after the first',
    { ...night, to: '01:30' },
    '2026-11-01T09:10:00.000Z',
    '2026-11-01T09:30:00.000Z',
  ],
  [
    'a beginning that the clock shows twice',
    { ...night, from: '01:30', to: '06:00' },
    '2026-11-01T08:45:00.000Z',
    '2026-11-01T09:00:00.000Z',
  ],
])('%s', (_, quiet, now, expected) => {
  expect(mayGoOutAt(quiet, new Date(now)).toISOString()).toBe(expected);
});

test('what would come too late goes out at once', () => {
  const now = new Date('2026-11-24T10:30:00.000Z');
  const ends = new Date('2026-11-24T15:00:00.000Z');
  expect(mayGoOutAt(night, now, new Date('2026-11-24T14:30:00.000Z'))).toEqual(now);
  expect(mayGoOutAt(night, now, new Date('2026-11-24T15:30:00.000Z'))).toEqual(ends);
});
