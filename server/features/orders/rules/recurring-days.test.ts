import { expect, test } from 'vitest';
import {
  calendarDay,
  daysAfter,
  endOfRecurring,
  hasDay,
  isBackOnDayAfter,
  onDaysAfter,
  type DaysRule,
} from './recurring-days.ts';

const rule = (part: Partial<DaysRule> = {}): DaysRule => ({
  weekdays: [1, 2, 3, 4, 5],
  localTime: '07:15',
  fromDay: '2026-10-26',
  untilDay: '2026-11-06',
  timeZone: 'America/Los_Angeles',
  ...part,
});
const days = (of: DaysRule, now: string) =>
  daysAfter(of, new Date(now)).map(({ day, at }) => `${day} ${at.toISOString().slice(0, 16)}`);

test.each([
  [
    'the autumn change: seven fifteen stays seven fifteen',
    rule({ fromDay: '2026-10-30', untilDay: '2026-11-03' }),
    '2026-10-29T12:00:00Z',
    ['2026-10-30 2026-10-30T14:15', '2026-11-02 2026-11-02T15:15', '2026-11-03 2026-11-03T15:15'],
  ],
  [
    'the spring change, at a time that is skipped',
    rule({ weekdays: [7], localTime: '02:30', fromDay: '2027-03-07', untilDay: '2027-03-21' }),
    '2027-03-01T12:00:00Z',
    ['2027-03-07 2027-03-07T10:30', '2027-03-14 2027-03-14T10:30', '2027-03-21 2027-03-21T09:30'],
  ],
  [
    'the autumn change, at a time that comes twice: the first',
    rule({ weekdays: [7], localTime: '01:30', fromDay: '2026-11-01', untilDay: '2026-11-01' }),
    '2026-10-31T12:00:00Z',
    ['2026-11-01 2026-11-01T08:30'],
  ],
  [
    'another zone, where it is tomorrow already',
    rule({ weekdays: [2], timeZone: 'Asia/Shanghai', fromDay: '2026-11-01', untilDay: '2026-11-10' }),
    '2026-11-02T18:00:00Z',
    ['2026-11-03 2026-11-02T23:15', '2026-11-10 2026-11-09T23:15'],
  ],
  [
    'today, but the time is past',
    rule({ weekdays: [1], fromDay: '2026-11-02', untilDay: '2026-11-09' }),
    '2026-11-02T15:15:00Z',
    ['2026-11-09 2026-11-09T15:15'],
  ],
  ['over', rule(), '2026-11-07T12:00:00Z', []],
])('%s', (_name, of, now, expected) => {
  expect(days(of, now)).toEqual(expected);
});

test('a day belongs to a series by its weekday and its span', () => {
  const given = ['2026-10-23', '2026-10-26', '2026-10-31', '2026-11-06', '2026-11-09'];
  expect(given.filter((day) => hasDay(rule(), day))).toEqual(['2026-10-26', '2026-11-06']);
});

test('a series is over at midnight after its last day, by its own clocks', () => {
  expect(endOfRecurring(rule()).toISOString()).toBe('2026-11-07T08:00:00.000Z');
  expect(calendarDay(new Date('2026-11-07T07:59:59Z'), 'America/Los_Angeles')).toBe('2026-11-06');
});

const [sunday, springChange, autumnChange] = ['2027-03-07', '2027-03-14', '2027-11-07'];
const denver = 'America/Denver';
const byDay = (day: string, there: Partial<DaysRule>, back: Partial<DaysRule>) => ({ day, there, back });
test.each([
  ['earlier by the clock', byDay(sunday, { localTime: '22:00' }, { localTime: '06:00' }), true],
  ['later by the clock', byDay(sunday, { localTime: '07:15' }, { localTime: '17:30' }), false],
  ['at the same minute', byDay(sunday, {}, {}), false],
  [
    'on other weekdays',
    byDay(sunday, { localTime: '22:00' }, { localTime: '06:00', weekdays: [2, 3] }),
    false,
  ],
  ['after an hour that some days skip', byDay(sunday, { localTime: '02:15' }, { localTime: '03:00' }), false],
  ['after the skipped hour', byDay(springChange, { localTime: '02:15' }, { localTime: '03:00' }), false],
  ['before the skipped hour', byDay(springChange, { localTime: '02:15' }, { localTime: '01:45' }), true],
  ['in a repeated hour', byDay(autumnChange, { localTime: '01:30' }, { localTime: '01:10' }), true],
  [
    'from an hour east, before the outbound',
    byDay(sunday, { localTime: '22:00' }, { localTime: '22:30', timeZone: denver }),
    true,
  ],
  [
    'from an hour east, after the outbound',
    byDay(sunday, { localTime: '22:00' }, { localTime: '23:30', timeZone: denver }),
    false,
  ],
])('a return %s is on the day after: %#', (_name, { day, there, back }, isDayAfter) => {
  expect(isBackOnDayAfter(rule(there), rule(back), day)).toBe(isDayAfter);
});

test('the days after those of a night shift: Sunday becomes Monday, and none comes before the first way there', () => {
  const night = rule({ weekdays: [1, 5, 7], localTime: '06:00' });
  expect(onDaysAfter(night, '2026-10-26')).toEqual({
    ...night,
    weekdays: [1, 2, 6],
    fromDay: '2026-10-27',
    untilDay: '2026-11-07',
  });
  expect(onDaysAfter(night, '2026-10-30').fromDay).toBe('2026-10-31');
});
