import { expect, test } from 'vitest';
import { staysUntilRead } from './toasts.tsx';

test.each([
  ['Saved', false],
  ['One two three four five six seven eight', false],
  ['One two three four five six seven eight nine', true],
  ['You’re on your way, so that is it.', false],
  ['https://sameway.example/pages/order/linked?id=00000000-0000-4000-8000-000000000000', true],
  ['已保存', false],
  ['您的密码已更改，其他设备已退出登录，请在这些设备上重新登录。', true],
])('"%s" stays until read: %s', (words, stays) => {
  expect(staysUntilRead(words)).toBe(stays);
});
