import { describe, expect, test } from 'vitest';
import {
  between,
  date,
  dateAndTime,
  inSentence,
  longDateAndTime,
  relative,
  timeOfDay,
  timeSpan,
  weekdayName,
  when,
} from './times.ts';

const zone = 'America/Los_Angeles';
// 10:00 AM in California, still standard time.
const nowMs = Date.parse('2026-11-20T18:00:00Z');
const en = { nowMs, language: 'en', zone } as const;
const zh = { nowMs, language: 'zh', zone } as const;

describe('when', () => {
  test.each([
    ['2026-11-21T01:40:00Z', 'Today, 5:40 PM', '今天 17:40'],
    ['2026-11-22T01:40:00Z', 'Tomorrow, 5:40 PM', '明天 17:40'],
    ['2026-11-20T07:30:00Z', 'Yesterday, 11:30 PM', '昨天 23:30'],
    ['2026-11-24T15:15:00Z', 'Tue, Nov 24, 7:15 AM', '11月24日 周二 07:15'],
    ['2027-03-20T14:15:00Z', 'Sat, Mar 20, 2027, 7:15 AM', '2027年3月20日 周六 07:15'],
  ])('%s is %s / %s', (iso, english, chinese) => {
    expect(when(iso, zone, en)).toBe(english);
    expect(when(iso, zone, zh)).toBe(chinese);
  });

  test.each([
    ['2026-11-21T01:40:00Z', 'today, 5:40 PM', '今天 17:40'],
    ['2026-11-22T01:40:00Z', 'tomorrow, 5:40 PM', '明天 17:40'],
    ['2026-11-20T07:30:00Z', 'yesterday, 11:30 PM', '昨天 23:30'],
    ['2026-11-24T15:15:00Z', 'Tue, Nov 24, 7:15 AM', '11月24日 周二 07:15'],
  ])('%s is within a sentence %s / %s', (iso, english, chinese) => {
    expect(inSentence(when(iso, zone, en))).toBe(english);
    expect(inSentence(when(iso, zone, zh))).toBe(chinese);
  });

  test('a span names the half of the day once where it is one', () => {
    const from = '2026-11-24T15:15:00Z';
    expect(when(from, zone, en, '2026-11-24T15:45:00Z')).toBe('Tue, Nov 24, 7:15 – 7:45 AM');
    expect(when(from, zone, en, '2026-11-24T20:15:00Z')).toBe('Tue, Nov 24, 7:15 AM – 12:15 PM');
    expect(when(from, zone, zh, '2026-11-24T15:45:00Z')).toBe('11月24日 周二 07:15–07:45');
  });

  test('names the zone where the reader’s clocks show another time, or are unknown', () => {
    const at = '2026-11-21T01:40:00Z';
    expect(when(at, zone, { ...en, zone: 'Asia/Shanghai' })).toBe('Today, 5:40 PM PST');
    expect(when(at, zone, { ...en, zone: 'America/Tijuana' })).toBe('Today, 5:40 PM');
    expect(dateAndTime(at, zone, { language: 'en', zone: null })).toBe('Fri, Nov 20, 5:40 PM PST');
    expect(dateAndTime(at, zone, { language: 'zh', zone: null })).toBe('11月20日 周五 17:40（GMT-8）');
  });
});

test('midnight and noon', () => {
  expect(timeOfDay('2026-11-20T08:00:00Z', zone, 'en')).toBe('12:00 AM');
  expect(timeOfDay('2026-11-20T08:00:00Z', zone, 'zh')).toBe('00:00');
  expect(timeOfDay('2026-11-20T20:05:00Z', zone, 'en')).toBe('12:05 PM');
});

test('a span over midnight keeps both times whole', () => {
  expect(timeSpan('2026-11-21T07:50:00Z', '2026-11-21T08:20:00Z', zone, 'en')).toBe('11:50 PM – 12:20 AM');
});

test('texts that are sent hold plain spaces alone', () => {
  const texts = (['en', 'zh'] as const).flatMap((language) => [
    timeSpan('2026-11-24T15:15:00Z', '2026-11-24T15:45:00Z', zone, language),
    longDateAndTime('2026-11-24T15:15:00Z', zone, language, true),
    dateAndTime('2026-11-24T15:15:00Z', zone, { language, zone: null }),
  ]);
  for (const text of texts) expect(text).not.toMatch(/[\u00a0\u2009\u202f]/);
});

test('papers write the day out', () => {
  expect(longDateAndTime('2026-11-24T16:20:00Z', zone, 'en')).toBe('November 24, 2026 at 8:20 AM');
  expect(date('2026-11-24T16:20:00Z', zone, 'en', true)).toBe('Tue, Nov 24, 2026');
});

test('a week begins on Monday', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((each) => weekdayName(each, 'en'))).toEqual([
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
    'Sun',
  ]);
  expect(weekdayName(1, 'zh')).toBe('周一');
});

test.each([
  ['2026-11-20T18:12:00Z', 'in 12 min', '12 分钟后'],
  ['2026-11-20T17:57:00Z', '3 min ago', '3 分钟前'],
  ['2026-11-20T18:00:10Z', 'now', '现在'],
  ['2026-11-23T18:00:00Z', 'in 3 days', '3 天后'],
])('%s is %s', (iso, english, chinese) => {
  expect(relative(iso, nowMs, 'en')).toBe(english);
  expect(relative(iso, nowMs, 'zh')).toBe(chinese);
});

test.each([
  ['2026-11-24T16:20:50Z', '2026-11-24T16:33:10Z', '13 min'],
  ['2026-11-24T16:20:10Z', '2026-11-24T16:33:50Z', '13 min'],
  ['2026-11-24T16:20:00Z', '2026-11-24T17:32:59Z', '1 hr 12 min'],
])('from %s to %s is %s, as the times that are shown say', (from, until, shown) => {
  expect(between(from, until, 'en')).toBe(shown);
  const minutesOf = (iso: string) => {
    const [hours, minutes] = timeOfDay(iso, zone, 'zh').split(':').map(Number);
    return hours! * 60 + minutes!;
  };
  expect(minutesOf(until) - minutesOf(from)).toBe(shown === '13 min' ? 13 : 72);
});
