import { expect, test } from 'vitest';
import { windowsOf } from './windows.ts';

const zone = 'America/Los_Angeles';
const weekly = (fields: Partial<Extract<Parameters<typeof windowsOf>[0], { kind: 'weekly' }>>) => ({
  kind: 'weekly' as const,
  days: [1, 2, 3, 4, 5, 6, 7],
  fromTime: '07:00',
  toTime: '08:30',
  until: '2027-01-01',
  ...fields,
});
const spans = (times: Parameters<typeof windowsOf>[0], now: string) =>
  windowsOf(times, zone, new Date(now)).map(({ earliestAt, latestAt }) =>
    [earliestAt, latestAt].map((at) => at.toISOString().slice(0, 16)).join(' '),
  );

test.each([
  [
    'the autumn change: seven in the morning stays seven',
    weekly({ until: '2026-11-02' }),
    '2026-10-31T09:00:00Z',
    [
      '2026-10-31T14:00 2026-10-31T15:30',
      '2026-11-01T15:00 2026-11-01T16:30',
      '2026-11-02T15:00 2026-11-02T16:30',
    ],
  ],
  [
    'the spring change, a window that begins in the hour that is not',
    weekly({ fromTime: '02:30', toTime: '03:15', until: '2027-03-14' }),
    '2027-03-13T20:00:00Z',
    ['2027-03-14T10:15 2027-03-14T10:15'],
  ],
  [
    'a window that goes past midnight and is open still',
    weekly({ fromTime: '23:00', toTime: '00:30', until: '2026-11-23', days: [1, 7] }),
    '2026-11-23T08:10:00Z',
    ['2026-11-23T07:00 2026-11-23T08:30', '2026-11-24T07:00 2026-11-24T08:30'],
  ],
  [
    'nearly a whole day, on the day that has 25 hours',
    weekly({ fromTime: '00:30', toTime: '00:15', until: '2026-11-01', days: [7] }),
    '2026-10-31T20:00:00Z',
    ['2026-11-01T07:30 2026-11-02T07:30'],
  ],
  [
    'some days alone',
    weekly({ days: [3], until: '2026-11-26' }),
    '2026-11-23T18:00:00Z',
    ['2026-11-25T15:00 2026-11-25T16:30'],
  ],
  ['no such day before the end', weekly({ days: [6], until: '2026-11-26' }), '2026-11-23T18:00:00Z', []],
  [
    'a single window that is over',
    { kind: 'once' as const, earliestAt: '2026-11-23T15:00:00Z', latestAt: '2026-11-23T16:00:00Z' },
    '2026-11-23T16:00:00Z',
    [],
  ],
])('%s', (_name, times, now, expected) => {
  expect(spans(times, now)).toEqual(expected);
});
