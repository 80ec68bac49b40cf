import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { NotPublicAddress, postToPublicAddress, troubleWithAddress } from './post-to-public-address.ts';

afterEach(() => vi.restoreAllMocks());

const input = { body: '{}', headers: {}, timeoutMs: 2000 };
/** Makes all names resolve to these addresses. */
function resolveTo(...addresses: string[]) {
  const answer = (_name: string, _options: object, done: (error: null, found: dns.LookupAddress[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  return vi.spyOn(dns, 'lookup').mockImplementation(answer as unknown as typeof dns.lookup);
}

async function listen(): Promise<{ port: number; hits: () => number; close: () => void }> {
  let hits = 0;
  const server = createServer((_, response) => {
    hits++;
    response.end('x'.repeat(100_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, hits: () => hits, close: () => server.close() };
}

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1', '::ffff:192.168.0.1'])(
  'a name that leads to %s is refused before anything is sent',
  async (address) => {
    resolveTo(address);
    await expect(
      postToPublicAddress('https://hook.example.com/', { ...input, allowsLoopback: false }),
    ).rejects.toThrow(NotPublicAddress);
  },
);

test('one private address among public ones is enough', async () => {
  resolveTo('93.184.215.14', '10.0.0.1');
  await expect(
    postToPublicAddress('https://hook.example.com/', { ...input, allowsLoopback: false }),
  ).rejects.toThrow(NotPublicAddress);
});

test('the name is resolved once: the connection goes to the address that was checked', async () => {
  const { port, hits, close } = await listen();
  try {
    const looked = resolveTo('127.0.0.1');
    const answer = await postToPublicAddress(`http://localhost:${port}/`, { ...input, allowsLoopback: true });
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBe(1000);
    expect(hits()).toBe(1);
    expect(looked).toHaveBeenCalledTimes(1);
  } finally {
    close();
  }
});

test('the wait for an answer ends at the timeout', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(
    postToPublicAddress(`http://127.0.0.1:${port}/`, { ...input, timeoutMs: 100, allowsLoopback: true }),
  ).rejects.toThrow('No answer in time.');
  server.closeAllConnections();
  server.close();
});

test.each([
  ['https://hook.example.com/a?b=c', false, null],
  ['https://hook.example.com:8443/', false, null],
  ['https://93.184.215.14/', false, null],
  ['http://hook.example.com/', false, 'notHttps'],
  ['http://hook.example.com/', true, 'notHttps'],
  ['http://127.0.0.1:9/', false, 'notHttps'],
  ['https://127.0.0.1/', false, 'notPublic'],
  ['http://127.0.0.1:9/', true, null],
  ['http://localhost:9/', true, null],
  ['http://[::1]:9/', true, null],
  ['https://0x7f.1/', false, 'notPublic'],
  ['https://10.0.0.1/', true, 'notPublic'],
  ['https://intranet/', false, 'notPublic'],
  ['https://a:b@hook.example.com/', false, 'notPublic'],
  ['javascript:alert(1)', true, 'notHttps'],
  ['', false, 'notPublic'],
])('%s, with this machine allowed %s: %s', (address, allowsLoopback, trouble) => {
  expect(troubleWithAddress(address, allowsLoopback)).toBe(trouble);
});
