import { expect, test } from 'vitest';
import { readEnv } from '../../platform/env.ts';
import { securityText } from './app-files.ts';

const now = new Date('2026-11-23T17:00:00Z');
const textWith = (settings: Record<string, string>) => securityText(readEnv(settings), now);

test('the file names the contact and an expiry date', () => {
  const text = textWith({
    SECURITY_CONTACT: 'security@example.com, https://example.com/report, tel:+1-201-555-0123',
    SECURITY_EXPIRES: '2027-06-30',
    SECURITY_POLICY: 'https://example.com/policy',
    PUBLIC_URL: 'https://ride.example.com',
  });
  expect(text).toBe(`Contact: mailto:security@example.com
Contact: https://example.com/report
Contact: tel:+1-201-555-0123
Expires: 2027-06-30T23:59:59Z
Preferred-Languages: en, zh
Canonical: https://ride.example.com/.well-known/security.txt
Policy: https://example.com/policy
`);
});

test('without a date it expires half a year after the day it is read', () => {
  expect(textWith({ SECURITY_CONTACT: 'security@example.com' })).toContain('Expires: 2027-05-22T23:59:59Z\n');
});

test('without a contact, and after its expiry date, there is no file', () => {
  expect(textWith({})).toBeNull();
  expect(textWith({ SECURITY_CONTACT: 'a@example.com', SECURITY_EXPIRES: '2026-11-22' })).toBeNull();
  expect(textWith({ SECURITY_CONTACT: 'a@example.com', SECURITY_EXPIRES: '2026-11-23' })).not.toBeNull();
});

test.each([
  ['SECURITY_CONTACT', 'http://example.com/report'],
  ['SECURITY_CONTACT', 'somebody'],
  ['SECURITY_CONTACT', 'a@example.com\nContact: mailto:b@example.com'],
  ['SECURITY_EXPIRES', 'soon'],
  ['SECURITY_EXPIRES', '2026-02-30'],
  ['SECURITY_POLICY', 'http://example.com/policy'],
])('%s=%j is refused at the start, and named', (name, value) => {
  expect(() => readEnv({ [name]: value })).toThrow(name);
});
