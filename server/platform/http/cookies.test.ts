import type { FastifyReply, FastifyRequest } from 'fastify';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cookiesOf } from './cookies.ts';

/** Makes a call with cookies over this protocol, and returns the cookies that the answer sets. */
function call(protocol: 'http' | 'https', cookie = '') {
  const set: string[] = [];
  const request = { protocol, headers: { cookie } } as unknown as FastifyRequest;
  const reply = {
    header(_name: string, value: string) {
      set.push(value);
    },
  } as unknown as FastifyReply;
  return { set, cookies: cookiesOf(request, reply) };
}

test('over https a cookie belongs to exactly this host, and neither scripts nor plain http can read it', () => {
  const { set, cookies } = call('https');
  cookies.keep('sameway-oauth', 'abc');
  expect(set).toEqual(['__Host-sameway-oauth=abc; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure']);
});

test('on a local machine without TLS it has its plain name', () => {
  const { set, cookies } = call('http');
  cookies.keep('sameway-oauth', 'abc');
  cookies.forget('sameway-oauth');
  expect(set).toEqual([
    'sameway-oauth=abc; Path=/; Max-Age=600; HttpOnly; SameSite=Lax',
    'sameway-oauth=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
});

test('a cookie from a subdomain does not replace the host’s own', () => {
  expect(call('https', 'sameway-oauth=planted; __Host-sameway-oauth=own').cookies.read('sameway-oauth')).toBe(
    'own',
  );
  expect(call('http', '__Host-sameway-oauth=other; sameway-oauth=own').cookies.read('sameway-oauth')).toBe(
    'own',
  );
  expect(call('https', 'sameway-oauths=x').cookies.read('sameway-oauth')).toBe('');
});

test('no other part of the server sets a cookie: the privacy text names those of this file', async () => {
  const server = path.resolve(import.meta.dirname, '..', '..');
  const setters: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: server }))
    if (
      !/^testing|\.test\.ts$/.test(file) &&
      /set-?cookie/i.test(await readFile(path.join(server, file), 'utf8'))
    )
      setters.push(file);
  expect(setters).toEqual([path.join('platform', 'http', 'cookies.ts')]);
});
