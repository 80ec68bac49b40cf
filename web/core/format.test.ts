import { describe, expect, test } from 'vitest';
import { between, distance, duration, money, relative, timeOfDay, when } from './format.ts';

const zone = 'America/Los_Angeles';
// 10:00 in California, still standard time.
const now = Date.parse('2026-11-20T18:00:00Z');
const en = { now, language: 'en', deviceZone: zone } as const;
const zh = { now, language: 'zh', deviceZone: zone } as const;

test.each([
  [0, '$0.00'],
  [12_00, '$12.00'],
  [5, '$0.05'],
  [1_234_567_89, '$1,234,567.89'],
  [-3_50, '-$3.50'],
])('%i cents are %s', (cents, shown) => expect(money(cents, 'en')).toBe(shown));

test.each([
  [90, 'en', '300 ft'],
  [600, 'en', '0.4 mi'],
  [16_093, 'en', '10 mi'],
  [600, 'zh', '0.4 英里'],
] as const)('%i metres in %s are %s', (metres, language, shown) =>
  expect(distance(metres, language)).toBe(shown),
);

test.each([
  [29, 'en', '0 min'],
  [240, 'en', '4 min'],
  [4320, 'en', '1 h 12 min'],
  [7200, 'zh', '2 小时'],
] as const)('%i seconds in %s are %s', (seconds, language, shown) =>
  expect(duration(seconds, language)).toBe(shown),
);

describe('when', () => {
  test.each([
    ['2026-11-21T01:40:00Z', 'Today 17:40', '今天 17:40'],
    ['2026-11-22T01:40:00Z', 'Tomorrow 17:40', '明天 17:40'],
    ['2026-11-20T07:30:00Z', 'Yesterday 23:30', '昨天 23:30'],
    ['2026-11-24T15:15:00Z', 'Tue 24 Nov, 07:15 PST', '11月24日 周二 07:15 PST'],
    ['2027-03-20T14:15:00Z', 'Sat 20 Mar 2027, 07:15 PDT', '2027年3月20日 周六 07:15 PDT'],
  ])('%s is %s / %s', (iso, english, chinese) => {
    expect(when(iso, zone, en)).toBe(english);
    expect(when(iso, zone, zh)).toBe(chinese);
  });

  test('a span names both times and the zone once', () => {
    const until = '2026-11-24T15:45:00Z';
    expect(when('2026-11-24T15:15:00Z', zone, { ...en, until })).toBe('Tue 24 Nov, 07:15–07:45 PST');
    expect(when('2026-11-24T15:15:00Z', zone, { ...zh, until })).toBe('11月24日 周二 07:15–07:45 PST');
  });

  test('names the zone when the device stands in another', () => {
    expect(when('2026-11-21T01:40:00Z', zone, { ...en, deviceZone: 'Asia/Shanghai' })).toBe(
      'Today 17:40 PST',
    );
  });
});

test('midnight is 00:00', () => expect(timeOfDay('2026-11-20T08:00:00Z', zone)).toBe('00:00'));

test.each([
  ['2026-11-20T18:12:00Z', 'in 12 min', '12 分钟后'],
  ['2026-11-20T17:57:00Z', '3 min ago', '3 分钟前'],
  ['2026-11-20T18:00:10Z', 'now', '现在'],
  ['2026-11-23T18:00:00Z', 'in 3 days', '3 天后'],
])('%s is %s', (iso, english, chinese) => {
  expect(relative(iso, now, 'en')).toBe(english);
  expect(relative(iso, now, 'zh')).toBe(chinese);
});

test.each([
  ['2026-11-24T16:20:50Z', '2026-11-24T16:33:10Z', '13 min'],
  ['2026-11-24T16:20:10Z', '2026-11-24T16:33:50Z', '13 min'],
  ['2026-11-24T16:20:00Z', '2026-11-24T17:32:59Z', '1 h 12 min'],
])('from %s to %s is %s, as the times that are shown say', (from, to, shown) => {
  expect(between(from, to, 'en')).toBe(shown);
  const zone = 'America/Los_Angeles';
  const minutesOf = (iso: string) => {
    const [hours, minutes] = timeOfDay(iso, zone).split(':').map(Number);
    return hours! * 60 + minutes!;
  };
  expect(duration((minutesOf(to) - minutesOf(from)) * 60, 'en')).toBe(shown);
});
