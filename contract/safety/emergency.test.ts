import { expect, test } from 'vitest';
import { emergencyNumberOf } from './emergency.ts';

test.each([
  ['America/Los_Angeles', '911'],
  ['America/Sao_Paulo', '190'],
  ['Asia/Shanghai', '110'],
  ['Asia/Hong_Kong', '999'],
  ['Europe/Berlin', '112'],
  ['Europe/London', '999'],
  ['Australia/Sydney', '000'],
  ['', '112'],
])('in %s one calls %s', (zone, number) => {
  expect(emergencyNumberOf(zone)).toBe(number);
});
