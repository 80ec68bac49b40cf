import { expect, test } from 'vitest';
import { addressBehind, networkOf } from './network.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  // The types promise an address; a request whose line is dead has none.
  [undefined, 'gone'],
  ['', 'gone'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

/** A request as a proxy passes it on: what the client wrote itself comes first. */
const handed = (forwarded: string | undefined, from = '10.0.0.1') => ({
  socket: { remoteAddress: from },
  headers: { 'x-forwarded-for': forwarded },
});

test.each<[string, number | string[], string | undefined, string]>([
  ['no proxy: nothing that is written counts', 0, '1.1.1.1', '10.0.0.1'],
  ['one proxy: what it added, not what the client wrote', 1, '1.1.1.1, 9.9.9.9', '9.9.9.9'],
  ['one proxy that adds nothing', 1, undefined, '10.0.0.1'],
  ['two proxies', 2, '1.1.1.1, 9.9.9.9, 10.0.0.2', '9.9.9.9'],
  ['proxies by their network', ['10.0.0.0/8'], '1.1.1.1, 9.9.9.9, 10.0.0.2', '9.9.9.9'],
  ['a request that comes past them', ['10.0.0.7'], '1.1.1.1', '10.0.0.1'],
])('%s', (_name, trusted, forwarded, expected) => {
  expect(addressBehind(trusted)(handed(forwarded))).toBe(expected);
});
