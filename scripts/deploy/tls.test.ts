import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled, openProxyWithTls, proxies, type Proxy } from './local-proxy.ts';

// The shipped files, run by the proxies that are installed here, and tried as a client would.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-tls-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const folderOf = (name: string): string => {
  const own = path.join(folder, name);
  fs.mkdirSync(own, { recursive: true });
  return own;
};

/** Shakes hands. @returns the version and the cipher that both agree on, or null if the proxy refuses */
const shakeHands = (
  port: number,
  { version, ciphers }: { version: tls.SecureVersion; ciphers: string },
): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      rejectUnauthorized: false,
      minVersion: version,
      maxVersion: version,
      ciphers,
    });
    socket.once('secureConnect', () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
  });

// A client that itself accepts everything.
const anything = 'ALL:@SECLEVEL=0';
const withTls11 = { version: 'TLSv1.1', ciphers: anything } as const;
const withTls12 = (ciphers: string) => ({ version: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` }) as const;

/** Without forward secrecy, or with encryption that is not authenticated. */
const weak = [
  'AES128-SHA',
  'AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA384',
  'eNULL',
];

const ask = (port: number, init: RequestInit = {}) =>
  fetch(`http://localhost:${port}/pages/home?a=1`, { redirect: 'manual', ...init });

describe.each(proxies)('%s', (program: Proxy) => {
  const isHere = isInstalled(program);
  if (!isHere) process.stderr.write(`${program} is not installed: its TLS is not tried.\n`);
  let opened: Awaited<ReturnType<typeof openProxyWithTls>>;
  beforeAll(async () => {
    if (isHere) opened = await openProxyWithTls(program, folderOf(program));
  });
  afterAll(() => opened?.stop());

  test.skipIf(!isHere)('agrees on TLS 1.2 and 1.3, and on nothing older', async () => {
    const { https } = opened.ports;
    expect(await shakeHands(https, { version: 'TLSv1.3', ciphers: anything })).toMatch(/^TLSv1\.3 TLS_/);
    expect(await shakeHands(https, withTls12('ECDHE-ECDSA-AES128-GCM-SHA256'))).toBe(
      'TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    );
    expect(await shakeHands(https, withTls11)).toBeNull();
    expect(await shakeHands(https, { ...withTls11, version: 'TLSv1' })).toBeNull();
  });

  test.skipIf(!isHere)('agrees on no weak cipher', async () => {
    for (const cipher of weak)
      expect(await shakeHands(opened.ports.https, withTls12(cipher)), cipher).toBeNull();
  });

  test.skipIf(!isHere)('leads pages from http to https, and refuses calls in the clear', async () => {
    const { http } = opened.ports;
    const page = await ask(http);
    expect(page.status).toBe(301);
    expect(page.headers.get('location')).toMatch(/^https:\/\/[^/]+\/pages\/home\?a=1$/);
    const authorization = 'Bearer a-token';
    expect((await ask(http, { headers: { authorization } })).status).toBe(403);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await ask(http, { method })).status, method).toBe(403);
  });
});

test.skipIf(!isInstalled('nginx'))(
  'the client can shake hands by TLS 1.1 where a file allows it',
  async () => {
    const { ports, stop } = await openProxyWithTls('nginx', folderOf('older'), (text) =>
      text
        .replace('ssl_protocols TLSv1.2', 'ssl_protocols TLSv1.1 TLSv1.2')
        .replace(/^ {2}ssl_ciphers .*\n/m, ''),
    );
    try {
      expect(await shakeHands(ports.https, withTls11)).toMatch(/^TLSv1\.1 /);
      expect(await shakeHands(ports.https, withTls12('ECDHE-ECDSA-AES128-SHA'))).toMatch(/_CBC_SHA$/);
    } finally {
      await stop();
    }
  },
);
