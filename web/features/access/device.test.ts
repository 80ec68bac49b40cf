import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
test.each([
  [
    `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${engine} Chrome/150.0.0.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
    true,
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`,
    'Edge',
    'Windows',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
    true,
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox',
    'Mac',
    false,
  ],
  ['', '', '', false],
])('%s', (userAgent, browser, system, isPhone) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, isPhone });
});
