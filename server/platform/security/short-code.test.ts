import { expect, test } from 'vitest';
import { newSecret } from './session.ts';
import { readShortCode, shortCodeLength, shortCodeOf } from './short-code.ts';

test('a code is short, follows from its secret, and is read as it was typed', () => {
  const secret = newSecret();
  const code = shortCodeOf(secret);
  expect(code).toHaveLength(shortCodeLength);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]+$/);
  expect(shortCodeOf(secret)).toBe(code);
  expect(readShortCode(code)).toBe(code);
  expect(readShortCode(code.toLowerCase())).toBe(code);
  expect(shortCodeOf(newSecret())).not.toBe(code);
});

test.each([
  ['o1lI-2345-6789', '011123456789'],
  ['', null],
  ['ABC', null],
  ['ABCDEFGHJKMU', null],
  ['ABCDEFGHJKMNP', null],
  ['../../etc/pas', null],
])('%j is read as %j', (typed, code) => {
  expect(readShortCode(typed)).toBe(code);
});
