import { expect, test } from 'vitest';
import { keyStateOf } from './key-state.ts';

const now = new Date('2026-11-25T12:00:00Z');
const before = new Date('2026-11-25T11:59:59.999Z');
const after = new Date('2026-11-25T12:00:00.001Z');

test.each([
  ['valid', null, null],
  ['valid', null, after],
  ['expired', null, now],
  ['expired', null, before],
  ['revoked', before, null],
  ['revoked', before, after],
  ['revoked', before, before],
])('a key is %s when it was revoked at %s and ends at %s', (state, revokedAt, expiresAt) => {
  expect(keyStateOf({ revokedAt, expiresAt }, now)).toBe(state);
});
