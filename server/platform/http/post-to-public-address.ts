import dns, { type LookupAddress } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, BlockList } from 'node:net';

/** The parts of an answer that callers use. */
export interface ReceiverAnswer {
  status: number;
  /** The first characters of the body. */
  text: string;
  /** `Retry-After`, in seconds; null if it is missing. */
  retryAfterSeconds: number | null;
}

/** The server refuses to send requests to this address. */
export class NotPublicAddress extends Error {}

const mostTextBytes = 1000;

/**
 * Why the server refuses an address before resolving its name; null if it does not.
 * @param allowsLoopback whether this machine, and http to it, is allowed
 */
export function troubleWithAddress(
  address: string,
  allowsLoopback: boolean,
): 'notHttps' | 'notPublic' | null {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return 'notPublic';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLocal = host === 'localhost' || isLoopbackAddress(host);
  if (isLocal && allowsLoopback) return ['http:', 'https:'].includes(url.protocol) ? null : 'notHttps';
  if (url.protocol !== 'https:') return 'notHttps';
  if (isLocal || (isIP(host) !== 0 && !isPublicAddress(host))) return 'notPublic';
  // A name without a dot belongs to the local network.
  return isIP(host) === 0 && !host.includes('.') ? 'notPublic' : null;
}

/**
 * Posts a text to an address that a person has entered. Only public addresses are allowed: the name is
 * resolved once, every address is checked, and the connection goes to one of these, so that a DNS answer that
 * changes cannot redirect it. Redirects are not followed.
 * @throws NotPublicAddress, or Error if no answer came in time.
 */
export function postToPublicAddress(
  address: string,
  {
    body,
    headers,
    timeoutMs,
    allowsLoopback,
  }: {
    body: string;
    headers: Readonly<Record<string, string>>;
    timeoutMs: number;
    allowsLoopback: boolean;
  },
): Promise<ReceiverAnswer> {
  if (troubleWithAddress(address, allowsLoopback) !== null)
    return Promise.reject(new NotPublicAddress('The address is not public.'));
  const url = new URL(address);
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((answer, fail) => {
    const request = client.request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      lookup: guardedLookup(allowsLoopback),
    });
    request.on('error', (error) =>
      fail(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? new Error('No answer in time.')
          : error,
      ),
    );
    request.on('response', (response) => {
      readStart(response).then(
        (text) =>
          answer({
            status: response.statusCode ?? 0,
            text,
            retryAfterSeconds: secondsOf(response.headers['retry-after']),
          }),
        fail,
      );
    });
    request.end(body);
  });
}

/** Resolves a name, and refuses it if any of its addresses is not allowed. */
const guardedLookup =
  (allowsLoopback: boolean): LookupFunction =>
  (name, options, done) => {
    dns.lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, '', 0);
      const isAllowed = ({ address }: LookupAddress) =>
        isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address));
      const [first] = found;
      if (first === undefined || !found.every(isAllowed))
        return done(new NotPublicAddress('The name leads to an address that is not public.'), '', 0);
      if (options.all === true) return done(null, found);
      done(null, first.address, first.family);
    });
  };

async function readStart(response: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    // The rest of the body is ignored.
    if (bytes >= mostTextBytes) break;
  }
  response.destroy();
  return Buffer.concat(parts).subarray(0, mostTextBytes).toString();
}

const secondsOf = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null;

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
