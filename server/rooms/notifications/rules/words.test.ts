import { expect, test } from 'vitest';
import { letterOf, wordsOf } from './words.ts';

const ride = { orderNumber: 'SW-7KQ2M9', departsAt: '2026-11-24T15:15:00Z', timeZone: 'America/Los_Angeles' };

test('times are those of the place, with its zone', () => {
  expect(wordsOf('asked', 'en', { ...ride, name: 'Mia' })).toEqual({
    title: 'Mia asks to join your ride',
    text: 'Ride SW-7KQ2M9, Tue 24 Nov, 07:15 PST',
  });
  expect(wordsOf('eveningBefore', 'zh', ride)).toEqual({
    title: '您的行程将于11月24日周二 07:15（GMT-8）出发',
    text: '行程 SW-7KQ2M9',
  });
  expect(wordsOf('eveningBefore', 'en', { ...ride, timeZone: 'Asia/Shanghai' }).title).toBe(
    'Your ride leaves Tue 24 Nov, 23:15 GMT+8',
  );
});

test('several messages are one line', () => {
  expect(wordsOf('messages', 'en', { name: 'Mia', count: 3 }).title).toBe('Mia: 3 new messages');
  const { line } = letterOf('messages', 'zh', { name: 'Mia', count: 1 }, 'L');
  expect(line).toBe('【顺路】Mia 给您发了消息 L');
});

test('money is dollars', () => {
  expect(wordsOf('receipt', 'zh', { ...ride, amountCents: 1250 }).title).toBe(
    '收据：您已支付行程费用 $12.50',
  );
});
