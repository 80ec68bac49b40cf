import { expect, test } from 'vitest';
import { daysOfMask, maskOfDays, partOfDay, timeOf, commutesOf, type TravelRecord } from './commutes.ts';

const place = { name: 'A', detail: '', lon: 0, lat: 0 };

/** A ride to work on a day, at minutes after midnight. */
const trip = (day: string, minute: number, more: Partial<TravelRecord> = {}): TravelRecord => ({
  role: 'driver',
  from: place,
  to: place,
  fromArea: 1,
  toArea: 2,
  timeZone: 'UTC',
  minute,
  visibility: 'all users',
  tagIds: [],
  women: false,
  maxDetourMs: null,
  when: { kind: 'day', day, weekday: new Date(`${day}T00:00:00Z`).getUTCDay() || 7 },
  isAlert: false,
  recurringId: null,
  ...more,
});
const weekly = (days: number[], more: Partial<TravelRecord> = {}) =>
  trip('2026-11-03', 460, { when: { kind: 'weekly', days }, recurringId: 's', ...more });

// Two Tuesdays, a Thursday and a Friday.
const [tuesday, nextTuesday, thursday, friday] = ['2026-11-03', '2026-11-10', '2026-11-05', '2026-11-13'];

test.each<
  [string, TravelRecord[], { days: number[]; minute: number; isRegular: boolean; isCounted: boolean }[]]
>([
  ['nothing said', [], []],
  [
    'one ride is a way that does not come back',
    [trip(tuesday, 460)],
    [{ days: [2], minute: 460, isRegular: false, isCounted: true }],
  ],
  [
    'the same day of the week twice comes back, on that day',
    [trip(tuesday, 460), trip(nextTuesday, 470), trip(thursday, 465)],
    [{ days: [2], minute: 465, isRegular: true, isCounted: true }],
  ],
  [
    'different days once each do not come back',
    [trip(tuesday, 460), trip(thursday, 460), trip(friday, 460)],
    [{ days: [2, 4, 5], minute: 460, isRegular: false, isCounted: true }],
  ],
  [
    'twice on one day is once that week',
    [trip(tuesday, 460), trip(tuesday, 480)],
    [{ days: [2], minute: 460, isRegular: false, isCounted: true }],
  ],
  [
    'morning and evening are two ways',
    [trip(tuesday, 460), trip(nextTuesday, 1040)],
    [
      { days: [2], minute: 460, isRegular: false, isCounted: true },
      { days: [2], minute: 1040, isRegular: false, isCounted: true },
    ],
  ],
  [
    'a series comes back by itself',
    [weekly([2, 4])],
    [{ days: [2, 4], minute: 460, isRegular: true, isCounted: true }],
  ],
  [
    'what contacts alone see is not counted',
    [weekly([2], { visibility: 'all contacts' })],
    [{ days: [2], minute: 460, isRegular: true, isCounted: false }],
  ],
  [
    'nor what is for women',
    [weekly([2], { women: true })],
    [{ days: [2], minute: 460, isRegular: true, isCounted: false }],
  ],
  ['ways within a neighbourhood are none', [weekly([2], { toArea: 1 })], []],
])('%s', (_name, trips, expected) => {
  expect(
    commutesOf(trips).map(({ days, minute, isRegular, isCounted }) => ({
      days: daysOfMask(days),
      minute,
      isRegular,
      isCounted,
    })),
  ).toEqual(expected);
});

test('an alert is counted, and is neither seen nor a way that comes back', () => {
  expect(
    commutesOf([weekly([1], { isAlert: true, visibility: 'all users', recurringId: null })]),
  ).toMatchObject([{ visibility: 'private', isCounted: true, isRegular: false }]);
});

test('orders of different circles stay apart, so that none is shown to the circle of another', () => {
  const trips = [trip(tuesday, 460), trip(nextTuesday, 460, { visibility: 'all contacts' })];
  expect(commutesOf(trips).map(({ visibility, isRegular }) => [visibility, isRegular])).toEqual([
    ['all users', false],
    ['all contacts', false],
  ]);
});

test('a busy person keeps what comes back', () => {
  const once = Array.from({ length: 60 }, (_, index) => trip(tuesday, 460, { toArea: index + 10 }));
  const found = commutesOf([...once, trip(tuesday, 460), trip(nextTuesday, 460), weekly([5], { toArea: 9 })]);
  expect(found).toHaveLength(40);
  expect(found.filter(({ isRegular }) => isRegular).map(({ toArea }) => toArea)).toEqual([9, 2]);
});

test('days are bits, times are round, a day has four parts', () => {
  expect(maskOfDays([1, 7])).toBe(65);
  expect(daysOfMask(65)).toEqual([1, 7]);
  expect(timeOf(458, 10)).toBe('07:40');
  expect(timeOf(1439, 10)).toBe('00:00');
  expect(timeOf(458, 10, Math.floor)).toBe('07:30');
  expect([239, 240, 600, 900, 1199, 1200].map(partOfDay)).toEqual([3, 0, 1, 2, 2, 3]);
});
