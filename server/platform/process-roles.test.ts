import { expect, test } from 'vitest';
import { readEnv } from './env.ts';
import { parseMatchingUrls } from './process-roles.ts';

const secret = 'sixteen letters!';
const redis = 'redis://127.0.0.1:6379';

test('a process does everything unless it is told its roles', () => {
  expect(readEnv({}).ROLES).toEqual(new Set(['web', 'worker', 'matching']));
  expect(readEnv({ ROLES: ' web, matching', REDIS_URL: redis }).ROLES).toEqual(new Set(['web', 'matching']));
});

test.each<[string, Record<string, string>]>([
  ['ROLES', { ROLES: 'web,cook' }],
  ['ROLES', { ROLES: ',' }],
  // Nothing would tell people at another process what has happened.
  ['ROLES', { ROLES: 'web' }],
  ['ROLES', { ROLES: 'worker,matching' }],
  ['MATCHING_PORT', { ROLES: 'matching' }],
  ['MATCHING_PORT', { ROLES: 'web,worker', MATCHING_PORT: '3030', MATCHING_SECRET: secret }],
  ['MATCHING_SECRET', { MATCHING_PORT: '3030' }],
  ['MATCHING_SECRET', { MATCHING_URLS: 'http://127.0.0.1:3030' }],
  ['MATCHING_SECRET', { MATCHING_PORT: '3030', MATCHING_SECRET: 'short' }],
  ['MATCHING_URLS', { MATCHING_URLS: 'ftp://127.0.0.1', MATCHING_SECRET: secret }],
  ['MATCHING_URLS', { MATCHING_URLS: ';', MATCHING_SECRET: secret }],
  // Orders of the other region would be in no process.
  ['MATCHING_URLS', { REGION: 'a,b', MATCHING_URLS: 'a=http://127.0.0.1:1', MATCHING_SECRET: secret }],
  ['MATCHING_REGIONS', { REGION: 'a,b', MATCHING_REGIONS: 'c' }],
])('what makes no whole is refused, and %s named: %j', (name, settings) => {
  expect(() => readEnv(settings)).toThrow(new RegExp(`^The configuration is wrong\\. ${name}: [^\n]*$`));
});

test('matching processes are listed for all regions, or for each', () => {
  expect(parseMatchingUrls('http://a:1/, http://b:1')).toEqual([
    { region: null, urls: ['http://a:1', 'http://b:1'] },
  ]);
  expect(parseMatchingUrls('porto = http://a:1,http://b:1; lisboa=http://c:1')).toEqual([
    { region: 'porto', urls: ['http://a:1', 'http://b:1'] },
    { region: 'lisboa', urls: ['http://c:1'] },
  ]);
});
