import { describe, expect, test } from 'vitest';
import { base32, matchTotp, newTotpSecret, totpCode, totpStepAt, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, SHA-1: the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is %s', (second, code) => {
  expect(totpCode(secret, totpStepAt(new Date(second * 1000)))).toBe(code);
});

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in base32 is %j', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

describe('a code counts once, and half a minute early or late', () => {
  const at = new Date(1_111_111_111_000);
  const now = totpStepAt(at);
  test.each([-2, -1, 0, 1, 2])('%i half minutes away', (away) => {
    const expected = Math.abs(away) <= 1 ? now + away : null;
    expect(matchTotp(secret, totpCode(secret, now + away), { at, lastStep: 0 })).toBe(expected);
  });
  test.each([-1, 0, 1])('a code of %i is used up by a later or the same one', (away) => {
    expect(matchTotp(secret, totpCode(secret, now + away), { at, lastStep: now + away })).toBeNull();
  });
  test.each(['', '00000', '1234567', 'abcdef'])('%j is no code', (typed) => {
    expect(matchTotp(secret, typed, { at, lastStep: 0 })).toBeNull();
  });
});

test('each secret is a new one of 160 bits; its address names the app and the account', () => {
  expect(newTotpSecret()).toHaveLength(20);
  expect(newTotpSecret()).not.toEqual(newTotpSecret());
  expect(totpUri(secret, { issuer: 'Sameway', account: 'a+b@example.com' })).toBe(
    'otpauth://totp/Sameway:a%2Bb%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Sameway',
  );
});
