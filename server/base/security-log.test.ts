import { expect, test } from 'vitest';
import { securityEventOf } from './security-log.ts';

test.each([
  ['/access/login', null, 'signedIn'],
  ['/order/list', null, null],
  ['/access/login', { code: 422, reason: 'access.wrong' }, 'signInFailed'],
  ['/access/oauth-login', { code: 422, reason: 'access.outsideExpired' }, 'signInFailed'],
  ['/access/login', { code: 429, reason: 'rate.limited' }, 'rateLimited'],
  ['/access/verify-email', { code: 422, reason: 'access.codeWrong' }, 'codeRefused'],
  ['/access/change-password', { code: 422, reason: 'access.passwordWrong' }, 'signInFailed'],
  ['/access/retrieve-password-confirm', { code: 422, reason: 'access.codeExpired' }, 'codeRefused'],
  ['/access/refresh-token', { code: 400, reason: 'session.missing' }, 'tokenRefused'],
  ['/admin/users', { code: 403, reason: 'access.denied' }, 'forbidden'],
  ['/order/list', { code: 400, reason: 'session.missing' }, null],
  ['/order/create', { code: 422, reason: 'order.timePast' }, null],
] as const)('%s ending in %o is %s', (path, refusal, event) => {
  expect(securityEventOf(path, refusal)).toBe(event);
});
