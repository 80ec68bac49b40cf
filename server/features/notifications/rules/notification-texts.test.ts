import { expect, test } from 'vitest';
import { emailText } from '../../../platform/messages/email-html.ts';
import { emailOf } from './notification-emails.ts';
import { allNews, smsOf, wordsOf } from './notification-texts.ts';

const ride = {
  orderNumber: 'SW-7KQ2M9',
  from: 'Capitola Village',
  to: 'Science Hill',
  departsAt: '2026-11-24T15:15:00Z',
  timeZone: 'America/Los_Angeles',
  price: { cents: 550, per: 'share' as const },
};

test('the route, the time of the place with its zone, and the price', () => {
  expect(wordsOf('asked', 'en', { ...ride, name: 'Mia' })).toEqual({
    title: 'Mia wants to join your ride',
    text: 'Capitola Village → Science Hill · Tue, Nov 24, 7:15 AM PST · $5.50',
  });
  expect(wordsOf('eveningBefore', 'zh', ride)).toEqual({
    title: '您的行程将于11月24日 周二 07:15（GMT-8）出发',
    text: 'Capitola Village → Science Hill · $5.50',
  });
  expect(wordsOf('eveningBefore', 'en', { ...ride, timeZone: 'Asia/Shanghai' }).title).toBe(
    'Your ride leaves Tue, Nov 24, 11:15 PM GMT+8',
  );
});

test.each([
  ['share', 550, '$5.50', '$5.50'],
  ['most', 2000, 'up to $20', '最多 $20'],
  ['person', 550, '$5.50 per person', '每人 $5.50'],
  ['car', 2000, '$20 per car', '每车 $20'],
  ['share', 0, 'Free', '免费'],
  ['most', 0, 'Free', '免费'],
] as const)('a price for each %s of %i cents', (per, cents, en, zh) => {
  const facts = { ...ride, price: { cents, per } };
  expect(wordsOf('invited', 'en', facts).text.split(' · ').at(-1)).toBe(en);
  expect(wordsOf('invited', 'zh', facts).text.split(' · ').at(-1)).toBe(zh);
});

test('a proposal says what it would be, and what it was where that is something else', () => {
  const later = { departsAt: '2026-11-24T15:30:00Z', cents: 600, isOtherWay: false };
  expect(wordsOf('changeProposed', 'en', { ...ride, proposal: later }).text).toBe(
    'Capitola Village → Science Hill · Tue, Nov 24, 7:30 AM PST (was Tue, Nov 24, 7:15 AM PST) · $6 (was $5.50)',
  );
  const way = { departsAt: ride.departsAt, cents: 550, isOtherWay: true };
  expect(wordsOf('changeProposed', 'zh', { ...ride, proposal: way }).text).toBe(
    'Capitola Village → Science Hill · 新路线 · 11月24日 周二 07:15（GMT-8） · $5.50',
  );
});

test.each(allNews)('%s about a ride names its route, and never its number', (news) => {
  for (const language of ['en', 'zh'] as const) {
    const { title, text } = wordsOf(news, language, { ...ride, name: 'Mia', amountCents: 1250 });
    expect(text).toContain('Capitola Village → Science Hill');
    expect(`${title} ${text}`).not.toContain('SW-');
    const facts = { ...ride, name: 'Mia' };
    const email = emailText(
      emailOf(language, [{ news, facts, link: 'L', answer: null }]),
      'https://sameway.example',
    );
    for (const words of [email, smsOf(news, language, facts, 'L').text])
      expect(words).toContain('Capitola Village → Science Hill');
  }
});

test('news that was kept without a route has the number', () => {
  const { departsAt, timeZone, orderNumber } = ride;
  expect(wordsOf('accepted', 'en', { departsAt, timeZone, orderNumber, name: 'Mia' }).text).toBe(
    'Ride SW-7KQ2M9 · Tue, Nov 24, 7:15 AM PST',
  );
});

test('several messages are one line', () => {
  expect(wordsOf('messages', 'en', { name: 'Mia', count: 3 }).title).toBe('3 new messages from Mia');
  const { text, secrets } = smsOf('messages', 'zh', { name: 'Mia', count: 1 }, 'L');
  expect(text).toBe('【顺路】Mia 发来新消息 L');
  expect(secrets).toEqual(['L']);
});

test('money is dollars', () => {
  expect(wordsOf('receipt', 'zh', { ...ride, amountCents: 1250 }).title).toBe(
    '收据：您已支付行程费用 $12.50',
  );
});

test('a name is text, whatever it looks like', () => {
  for (const name of ['{{money}}', '$t(notices:line.free)', '$&'])
    expect(wordsOf('asked', 'en', { ...ride, name }).title).toBe(`${name} wants to join your ride`);
});

test.each([
  [0, 'Mia’s ride ended early: you pay nothing'],
  [1250, 'Mia’s ride ended early: you pay $12.50 for the part you rode'],
])('a ride that ended early costs %i cents', (amountCents, title) => {
  expect(wordsOf('brokenOff', 'en', { ...ride, name: 'Mia', amountCents }).title).toBe(title);
});
