import { expect, test } from 'vitest';
import { emailPage, withoutForeignLinks } from './email-page.ts';

test('an address by itself is a button, a code stands out, the signature is in the head', () => {
  const page = emailPage({
    home: 'https://sameway.example',
    subject: 'Mia asks to join your ride',
    text: 'Ride SW-1.\n\nhttps://sameway.example/pages/order/detail?id=1&x=2\n\n123456\n\nSameway\n',
  });
  expect(page).toContain('<html lang="en">');
  expect(page).toContain('href="https://sameway.example/pages/order/detail?id=1&amp;x=2"');
  expect(page).toContain('>Open in Sameway</a>');
  expect(page).toMatch(/letter-spacing:6px">123456</);
  expect(page.match(/Sameway<\/p>/)).toBeNull();
});

test('what people wrote stays text', () => {
  const page = emailPage({
    home: 'https://sameway.example',
    subject: '<script>alert(1)</script>',
    text: 'Says "<b>hi</b>" & http://a.example/?"onclick=x\n\n•  one\n   two',
  });
  expect(page).not.toMatch(/<script|<b>|"onclick/);
  expect(page).toContain('&lt;b&gt;hi&lt;/b&gt;');
  expect(page).toContain('one<br>');
});

test('Chinese emails are drawn as Chinese, with a way to end them', () => {
  const page = emailPage({
    home: 'https://s.example',
    subject: '行程提醒',
    text: '明天 07:15 出发。\n\nhttps://s.example/x\n\n顺路 Sameway',
    unsubscribe: { page: 'https://s.example/stop?code=1' },
  });
  expect(page).toContain('<html lang="zh-CN">');
  expect(page).toContain('在顺路中打开');
  expect(page).toContain('不再接收此类邮件');
});

test('what people call themselves is never a link: not with its protocol, and not as the bare name of a host', () => {
  const home = 'https://sameway.example';
  const name = 'https://evil.example/win';
  const text = `${name} and www.evil.example/b, evil.example invite you.\n\n${home}/intro?inviter=a\n\n${name}\n\nSameway`;
  const page = emailPage({ home, subject: `${name} invites you`, text });
  expect([...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([`${home}/intro?inviter=a`]);
  // Programs that look for addresses themselves find none either.
  expect(withoutForeignLinks(text, home)).not.toMatch(/evil\.example|https:\/\/evil/);
  expect(withoutForeignLinks(text, home)).toContain(`${home}/intro?inviter=a`);
  expect(withoutForeignLinks(text, home).replaceAll('\u200B', '')).toBe(text);
  const plain = 'Write to nora@mail.example. At 7.30 a.m. it costs $4.50.';
  expect(withoutForeignLinks(plain, home)).toBe(plain);
  // An address that only begins as ours does is another one.
  expect(withoutForeignLinks('https://sameway.example.evil.net/x', home)).not.toContain('example.evil');
  const map = 'https://www.google.com/maps?q=36.97,-122.02';
  expect(withoutForeignLinks(map, home)).toBe(map);
});
