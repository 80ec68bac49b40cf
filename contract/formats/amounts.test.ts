import { expect, test } from 'vitest';
import { count, distance, duration, money, percent, price, weight } from './amounts.ts';

test.each([
  [0, '$0.00', '$0'],
  [12_00, '$12.00', '$12'],
  [12_50, '$12.50', '$12.50'],
  [5, '$0.05', '$0.05'],
  [1_234_567_89, '$1,234,567.89', '$1,234,567.89'],
  [-3_50, '-$3.50', '-$3.50'],
])('%i cents are %s, as a price %s', (cents, amount, asked) => {
  for (const language of ['en', 'zh'] as const) {
    expect(money(cents, language)).toBe(amount);
    expect(price(cents, language)).toBe(asked);
  }
});

test.each([
  [90, '300 ft', '90 米'],
  [600, '0.4 mi', '600 米'],
  [1609, '1 mi', '1.6 公里'],
  [16_093, '10 mi', '16 公里'],
])('%i meters are %s / %s', (metres, english, chinese) => {
  expect(distance(metres, 'en')).toBe(english);
  expect(distance(metres, 'zh')).toBe(chinese);
});

test.each([
  [29, '0 min', '0 分钟'],
  [240, '4 min', '4 分钟'],
  [4320, '1 hr 12 min', '1 小时 12 分钟'],
  [7200, '2 hr', '2 小时'],
])('%i seconds are %s / %s', (seconds, english, chinese) => {
  expect(duration(seconds, 'en')).toBe(english);
  expect(duration(seconds, 'zh')).toBe(chinese);
});

test('weights, shares and counts', () => {
  expect([weight(840, 'en'), weight(2800, 'en'), weight(90_000, 'en')]).toEqual([
    '1.9 lb',
    '6.2 lb',
    '198 lb',
  ]);
  expect([weight(840, 'zh'), weight(2800, 'zh')]).toEqual(['840 g', '2.8 kg']);
  expect([percent(0.18, 'en'), percent(0.025, 'zh'), count(24_682, 'en')]).toEqual(['18%', '2.5%', '24,682']);
});
