import { expect, test } from 'vitest';
import { reminderDue } from './reminders.ts';

// Tuesday 24 November, 7:15 in California.
const at = '2026-11-24T15:15:00Z';
const early = '2026-11-20T12:00:00Z';
const zone = 'America/Los_Angeles';

test.each([
  ['the afternoon before', at, zone, early, '2026-11-24T02:59:59Z', null],
  ['seven in the evening', at, zone, early, '2026-11-24T03:00:00Z', 'evening'],
  ['the night', at, zone, early, '2026-11-24T10:00:00Z', 'evening'],
  ['an hour before', at, zone, early, '2026-11-24T14:15:00Z', 'hour'],
  ['a jump to a minute before', at, zone, early, '2026-11-24T15:14:00Z', 'hour'],
  ['it has left', at, zone, early, '2026-11-24T15:15:00Z', null],
  ['joined at night', at, zone, '2026-11-24T05:00:00Z', '2026-11-24T05:00:01Z', null],
  ['joined at night, an hour before', at, zone, '2026-11-24T05:00:00Z', '2026-11-24T14:15:00Z', 'hour'],
  ['joined at the last minute', at, zone, '2026-11-24T14:30:00Z', '2026-11-24T14:31:00Z', null],
  ['evening in Shanghai', '2026-11-24T23:15:00Z', 'Asia/Shanghai', early, '2026-11-24T11:00:00Z', 'evening'],
  ['afternoon in Shanghai', '2026-11-24T23:15:00Z', 'Asia/Shanghai', early, '2026-11-24T10:59:00Z', null],
  // Half past midnight: the evening before is the same night's.
  ['soon after midnight', '2026-11-24T08:30:00Z', zone, early, '2026-11-24T03:00:00Z', 'evening'],
  // Clocks in California go from 2:00 to 3:00 on 8 March 2026.
  [
    'before the lost hour',
    '2026-03-08T16:00:00Z',
    zone,
    '2026-03-01T00:00:00Z',
    '2026-03-08T03:00:00Z',
    'evening',
  ],
])('%s', (_, leaves, timeZone, agreedAt, now, expected) => {
  expect(reminderDue({ at: new Date(leaves), timeZone, agreedAt: new Date(agreedAt) }, new Date(now))).toBe(
    expected,
  );
});
