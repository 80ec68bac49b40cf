import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

test.each([
  [undefined, 'santa-cruz'],
  ['', ''],
  ['porto', 'porto'],
  ['santa-cruz,porto', 'santa-cruz,porto'],
  ['santa-cruz, porto', 'santa-cruz, porto'],
])('REGION=%j is %j', (REGION, expected) => {
  expect(readEnv({ REGION }).REGION).toBe(expected);
});

test.each(['../secrets', 'a,,b', ',', 'a b', 'Porto'])('REGION=%j is refused, and named', (REGION) => {
  expect(() => readEnv({ REGION })).toThrow(/REGION/);
});

test('any other empty variable is as if it were not there', () => {
  expect(readEnv({ PORT: '', LOG_LEVEL: '' })).toMatchObject({ PORT: 3020, LOG_LEVEL: 'info' });
});
