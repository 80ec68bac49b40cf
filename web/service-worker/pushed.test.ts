import { expect, test } from 'vitest';
import { readPush } from './pushed.ts';

test('a push is read as it was written', () => {
  const pushed = {
    title: 'Mia wants to join your ride',
    body: 'Tue 24 Nov, 07:15 PST',
    tag: 'order:1',
    path: '/pages/order/detail?id=1',
    actions: [{ title: 'Accept', path: '/pages/order/answer?code=a' }],
    language: 'en',
    atMs: 1_795_000_000_000,
    unread: 3,
  };
  expect(readPush(JSON.stringify(pushed))).toEqual(pushed);
});

test.each(['', 'no JSON', '[]', 'null', '{"title":7}'])('%j still says that there is something', (text) => {
  expect(readPush(text)).toMatchObject({ title: 'Sameway 顺路', path: '/', actions: [], unread: null });
});

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example',
  '/\\elsewhere.example',
  'javascript:alert(1)',
])('%s is no page of the app', (path) => {
  const actions = [{ title: 'Accept', path }, null, 7, { title: 'Decline' }];
  expect(readPush(JSON.stringify({ path, actions }))).toMatchObject({
    path: '/',
    actions: [{ title: 'Accept', path: '/' }],
  });
});
