import { expect, test } from 'vitest';
import { isKnown } from './web-push.ts';

const services = ['fcm.googleapis.com', '*.push.apple.com', 'http://127.0.0.1:3345'];

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://web.push.apple.com/abc', true],
  ['http://127.0.0.1:3345/device', true],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://fcm.googleapis.com.elsewhere.example/x', false],
  ['https://user@fcm.googleapis.com/x', false],
  ['https://push.apple.com.example/x', false],
  ['https://xpush.apple.com/x', false],
  ['http://127.0.0.1:5432/x', false],
  ['http://169.254.169.254/latest', false],
  ['file:///etc/passwd', false],
  ['nonsense', false],
])('%s: %s', (endpoint, known) => {
  expect(isKnown(endpoint, services)).toBe(known);
});
