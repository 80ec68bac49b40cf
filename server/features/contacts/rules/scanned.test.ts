import { expect, test } from 'vitest';
import { codeIn } from './scanned.ts';

test.each([
  ['abc', 'abc'],
  [' abc\n', 'abc'],
  ['https://sameway.example/pages/contact/add?code=abc', 'abc'],
  ['http://127.0.0.1:3020/intro?inviter=xyz&lang=zh', 'xyz'],
  ['https://sameway.example/', ''],
  ['http://[', ''],
])('%j', (scanned, code) => expect(codeIn(scanned)).toBe(code));
