import { expect, test } from 'vitest';
import { mayReturnTo } from './return-address.ts';

const site = 'https://ride.example.com/';

test.each([
  ['https://ride.example.com/pages/auth/oauth', site, true],
  ['https://evil.example/pages/auth/oauth', site, false],
  ['http://ride.example.com/pages/auth/oauth', site, false],
  ['https://ride.example.com/pages/auth/oauth?next=//evil', site, false],
  ['https://ride.example.com/pages/auth/oauth#x', site, false],
  ['https://ride.example.com@evil.example/pages/auth/oauth', site, false],
  ['https://me:pw@ride.example.com/pages/auth/oauth', site, false],
  ['https://ride.example.com/pages/order/order', site, false],
  ['javascript:alert(1)//pages/auth/oauth', site, false],
  ['not an address', site, false],
  ['http://127.0.0.1:3020/pages/auth/oauth', site, false],
  ['http://127.0.0.1:3020/pages/auth/oauth', undefined, true],
  ['http://localhost:5173/pages/auth/oauth', undefined, true],
  ['https://ride.example.com/pages/auth/oauth', undefined, false],
])('%s (site %s): %s', (address, publicUrl, expected) => {
  expect(mayReturnTo(address, publicUrl)).toBe(expected);
});
