import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not part of the public Internet (IANA's special-purpose registry). */
const notPublic4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** IPv6 networks within the public range: tunnels to IPv4 addresses, tests and documentation. */
const notPublic6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const hidden = new BlockList();
for (const [net, bits] of notPublic4) hidden.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of notPublic6) hidden.addSubnet(net, bits, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** An IPv4 address inside an IPv6 address counts as the IPv4 address. */
const plain = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/**
 * Whether an address is on the public Internet: not this machine, a private network or a cloud's metadata
 * service, nor an address that stands for one of these. Text that is not an address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const one = plain(address);
  if (isIP(one) === 4) return !hidden.check(one, 'ipv4');
  return isIP(one) === 6 && global6.check(one, 'ipv6') && !hidden.check(one, 'ipv6');
}

/** Whether an address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  const one = plain(address);
  const kind = isIP(one);
  return kind !== 0 && loopback.check(one, kind === 6 ? 'ipv6' : 'ipv4');
}
