import { expect, test } from 'vitest';
import { deviceName, deviceOf, isOtherDevice } from './device.ts';

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

const chrome = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/140.0.0.0 Safari/537.36`;
const newer = chrome.replace('140', '151');
const onLinux = chrome.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64');
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
test.each([
  [chrome, newer, false],
  [chrome, onLinux, false],
  [chrome, firefox, false],
  [chrome, iphone, true],
  [iphone, 'curl/8.5.0', true],
  ['', '', false],
  ['', 'curl/8.5.0', false],
  ['node', chrome, false],
])('%s, then %s: another device is %s', (before, now, isOther) => {
  expect(isOtherDevice(before, now)).toBe(isOther);
});

test('a device is called after its browser and its system', () => {
  expect([chrome, 'curl/8.5.0'].map(deviceName)).toEqual(['Chrome · Windows', '']);
});
