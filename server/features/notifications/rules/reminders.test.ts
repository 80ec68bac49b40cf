import { expect, test } from 'vitest';
import { nextReminderAt, reminderDue } from './reminders.ts';

// Tuesday 24 November, 7:15 in California.
const at = '2026-11-24T15:15:00Z';
const early = '2026-11-20T12:00:00Z';
const zone = 'America/Los_Angeles';
const ride = { at, timeZone: zone, agreedAt: early };

test.each([
  ['the afternoon before', ride, '2026-11-24T02:59:59Z', null],
  ['seven in the evening', ride, '2026-11-24T03:00:00Z', 'evening'],
  ['the night', ride, '2026-11-24T10:00:00Z', 'evening'],
  ['an hour before', ride, '2026-11-24T14:15:00Z', 'hour'],
  ['a jump to a minute before', ride, '2026-11-24T15:14:00Z', 'hour'],
  ['it has left', ride, '2026-11-24T15:15:00Z', null],
  ['joined at night', { ...ride, agreedAt: '2026-11-24T05:00:00Z' }, '2026-11-24T05:00:01Z', null],
  [
    'joined at night, an hour before',
    { ...ride, agreedAt: '2026-11-24T05:00:00Z' },
    '2026-11-24T14:15:00Z',
    'hour',
  ],
  ['joined at the last minute', { ...ride, agreedAt: '2026-11-24T14:30:00Z' }, '2026-11-24T14:31:00Z', null],
  [
    'evening in Shanghai',
    { ...ride, at: '2026-11-24T23:15:00Z', timeZone: 'Asia/Shanghai' },
    '2026-11-24T11:00:00Z',
    'evening',
  ],
  [
    'afternoon in Shanghai',
    { ...ride, at: '2026-11-24T23:15:00Z', timeZone: 'Asia/Shanghai' },
    '2026-11-24T10:59:00Z',
    null,
  ],
  // Half past midnight: the evening before is the same night's.
  ['soon after midnight', { ...ride, at: '2026-11-24T08:30:00Z' }, '2026-11-24T03:00:00Z', 'evening'],
  // Clocks in California go from 2:00 to 3:00 on 8 March 2026.
  [
    'before the lost hour',
    { ...ride, at: '2026-03-08T16:00:00Z', agreedAt: '2026-03-01T00:00:00Z' },
    '2026-03-08T03:00:00Z',
    'evening',
  ],
])('%s', (_, { at: leavesAt, timeZone, agreedAt }, now, expected) => {
  const facts = { at: new Date(leavesAt), timeZone, agreedAt: new Date(agreedAt) };
  expect(reminderDue(facts, new Date(now))).toBe(expected);
});

test('the next reminder is looked at in the evening before and an hour before, and then no more', () => {
  const leaves = { at: new Date(at), timeZone: zone };
  const next = (now: string) => nextReminderAt(leaves, new Date(now))?.toISOString() ?? null;
  expect(next('2026-11-20T12:00:00Z')).toBe('2026-11-24T03:00:00.000Z');
  expect(next('2026-11-24T03:00:00Z')).toBe('2026-11-24T14:15:00.000Z');
  expect(next('2026-11-24T14:15:00Z')).toBeNull();
});

test('whenever a reminder becomes due, the look before it was for that instant', () => {
  for (const [leavesAt, timeZone] of [
    [at, zone],
    ['2026-11-24T08:30:00Z', zone],
    ['2026-03-08T16:00:00Z', zone],
    ['2026-11-24T23:15:00Z', 'Asia/Shanghai'],
  ] as const) {
    const ride = { at: new Date(leavesAt), timeZone, agreedAt: new Date('2026-01-01T00:00:00Z') };
    let before = reminderDue(ride, new Date(ride.at.getTime() - 40 * 3_600_000));
    for (let ms = -40 * 3_600_000 + 300_000; ms < 0; ms += 300_000) {
      const now = new Date(ride.at.getTime() + ms);
      const due = reminderDue(ride, now);
      if (due !== before && due !== null)
        expect(nextReminderAt(ride, new Date(now.getTime() - 300_000))).toEqual(now);
      before = due;
    }
  }
});
