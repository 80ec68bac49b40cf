import { expect, test } from 'vitest';
import { letterPage } from './letter-page.ts';

test('an address by itself is a button, a code stands out, the signature is in the head', () => {
  const page = letterPage({
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
  const page = letterPage({
    subject: '<script>alert(1)</script>',
    text: 'Says "<b>hi</b>" & http://a.example/?"onclick=x\n\n•  one\n   two',
  });
  expect(page).not.toMatch(/<script|<b>|"onclick/);
  expect(page).toContain('&lt;b&gt;hi&lt;/b&gt;');
  expect(page).toContain('one<br>');
});

test('Chinese letters are drawn as Chinese, with a way to end them', () => {
  const page = letterPage({
    subject: '行程提醒',
    text: '明天 07:15 出发。\n\nhttps://s.example/x\n\n顺路 Sameway',
    unsubscribe: { page: 'https://s.example/stop?code=1' },
  });
  expect(page).toContain('<html lang="zh-CN">');
  expect(page).toContain('在顺路中打开');
  expect(page).toContain('不再接收此类邮件');
});
