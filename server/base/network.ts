import { isIPv6 } from 'node:net';

/**
 * The part of a network address that limits count by. A household gets a whole /64 of the newer kind, so whoever has one
 * address there has them all; an older address inside a newer one is itself. A request whose line has died meanwhile has
 * no address any more: all of those count together, and nobody hears what they are answered.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined || address === '') return 'gone';
  const plain = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped !== null) return mapped[1]!;
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
