import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * The part of a network address that limits count by. A household gets a whole /64 of the newer kind, so
 * a host with one address there has them all; an older address inside a newer one is itself. A request whose
 * line has died meanwhile has no address any more: all of those count together, and no client hears what they
 * are answered.
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

/** Whether the proxy `hop` steps away is one of those in front. */
export function isProxy(trusted: number | readonly string[]): (address: string, hop: number) => boolean {
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  const list = new BlockList();
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  for (const each of trusted) {
    const [address = '', bits] = each.split('/');
    if (bits === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(bits), family(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, family(address));
}

/** The part of a request that says where it comes from. */
type AddressedRequest = Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> };

/** The address of a request that no route sees, read as routes read it. */
export function addressBehind(
  trusted: number | readonly string[],
): (request: AddressedRequest) => string | undefined {
  const trusts = isProxy(trusted);
  return ({ socket, headers }) => {
    const written = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const hops = [socket.remoteAddress ?? '', ...written.map((each) => each.trim()).toReversed()];
    let at = 0;
    while (at < hops.length - 1 && hops[at + 1] !== '' && trusts(hops[at]!, at)) at++;
    return hops[at];
  };
}
