import { expect, test } from 'vitest';
import { errorName } from './error-name.ts';

test.each([
  ['connect ECONNREFUSED 127.0.0.1:587', 'ECONNREFUSED'],
  ['getaddrinfo ENOTFOUND mail.example.com', 'ENOTFOUND'],
  ['EAUTH: Invalid login: 535 5.7.8 authentication failed', 'EAUTH'],
  ['Can’t send mail - all recipients were rejected: 550 5.1.1 <anna550@example.com>: unknown', '550'],
  ['The push service answered 410.', '410'],
  ['The gateway answered 503: try later', '503'],
  ['TypeError: Anna is not a function', 'TypeError'],
  ['anna.450@example.com and user-501 are not codes, nor is 4500', 'Error'],
  ['EVE wrote this', 'Error'],
  ['Boom', 'Error'],
  ['', 'Error'],
])('the name of “%s” is %s', (text, name) => {
  expect(errorName(text)).toBe(name);
});
