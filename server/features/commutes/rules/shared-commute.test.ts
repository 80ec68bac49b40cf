import { expect, test } from 'vitest';
import { sharedCommuteOf, minutesApart, type Ends, type WeeklyCommute } from './shared-commute.ts';

const minuteMs = 60_000;
/** Monday to Wednesday at 07:40, twenty minutes of driving. */
const way = (more: Partial<WeeklyCommute> = {}): WeeklyCommute => ({
  role: 'driver',
  days: 0b111,
  minute: 460,
  driveMs: 20 * minuteMs,
  maxDetourMs: 10 * minuteMs,
  ...more,
});
const ends = (toStart: number, fromEnd: number): Ends => ({
  toStartMs: toStart * minuteMs,
  fromEndMs: fromEnd * minuteMs,
});
const passenger = way({ role: 'passenger', minute: 465, driveMs: 15 * minuteMs });

test.each<[string, Parameters<typeof sharedCommuteOf>, object | null]>([
  [
    'a driver takes a passenger along',
    [way(), passenger, ends(5, 5), null],
    { days: 0b111, minute: 465, detourMs: 5 * minuteMs },
  ],
  [
    'and the passenger sees the same driver',
    [passenger, way(), null, ends(5, 5)],
    { minute: 465, detourMs: 5 * minuteMs },
  ],
  ['not farther than the driver allows', [way(), passenger, ends(10, 6), null], null],
  ['not where no road leads', [way(), passenger, null, null], null],
  [
    'on the days of both alone',
    [way(), way({ ...passenger, days: 0b1100 }), ends(5, 5), null],
    { days: 0b100 },
  ],
  ['on no common day', [way(), way({ ...passenger, days: 0b1000 }), ends(5, 5), null], null],
  ['half an hour is waited', [way(), way({ ...passenger, minute: 495 }), ends(5, 5), null], { minute: 465 }],
  ['no more than that', [way(), way({ ...passenger, minute: 496 }), ends(5, 5), null], null],
  ['the passenger does not drive instead', [way(), passenger, ends(10, 6), ends(1, 1)], null],
  [
    'two drivers take turns, by the smaller detour',
    [way(), way(), ends(4, 4), ends(1, 1)],
    { detourMs: 2 * minuteMs, minute: 461 },
  ],
  [
    'or one of them drives, where the other cannot',
    [way(), way(), ends(40, 4), ends(1, 1)],
    { detourMs: 2 * minuteMs },
  ],
  ['a drive that a stop shortens is no detour', [way(), passenger, ends(2, 2), null], { detourMs: 0 }],
  [
    'around midnight too',
    [way({ minute: 1435 }), way({ ...passenger, minute: 5 }), ends(10, 5), null],
    { minute: 5 },
  ],
])('%s', (_name, judged, expected) => {
  const found = sharedCommuteOf(...judged);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test('times of day go round the clock', () => {
  expect(minutesApart(1430, 10)).toBe(20);
  expect(minutesApart(10, 1430)).toBe(20);
  expect(minutesApart(0, 720)).toBe(720);
});
