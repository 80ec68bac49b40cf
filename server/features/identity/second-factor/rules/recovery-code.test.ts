import { expect, test } from 'vitest';
import { newRecoveryCode, plainRecoveryCode } from './recovery-code.ts';

test('a code has six groups, and is the same without them or in capitals', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode);
  expect(new Set(codes).size).toBe(200);
  for (const code of codes) {
    expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){5}$/);
    expect(plainRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(plainRecoveryCode(code));
  }
});
