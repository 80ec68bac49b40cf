import { expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './post-to-public-address.ts';

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:200::1',
  '2a00:1450:4001:80b::200e',
  '::ffff:1.1.1.1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
  expect(isLoopbackAddress(address)).toBe(false);
});

test.each([
  '0.0.0.0',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::a00:1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'localhost',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
  expect(isLoopbackAddress(address)).toBe(true);
});

test.each(['0.0.0.0', '10.0.0.1', '::', 'localhost'])('%s is not this machine', (address) => {
  expect(isLoopbackAddress(address)).toBe(false);
});
