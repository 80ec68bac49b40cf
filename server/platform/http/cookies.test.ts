import type { FastifyReply, FastifyRequest } from 'fastify';
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
  cookies.keep('step', 'abc', 600);
  expect(set).toEqual(['__Host-step=abc; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure']);
});

test('on a local machine without TLS it has its plain name', () => {
  const { set, cookies } = call('http');
  cookies.keep('step', 'abc', 600);
  expect(set).toEqual(['step=abc; Path=/; Max-Age=600; HttpOnly; SameSite=Lax']);
});

test('a cookie from a subdomain does not replace the host’s own', () => {
  expect(call('https', 'step=planted; __Host-step=own').cookies.read('step')).toBe('own');
  expect(call('http', '__Host-step=other; step=own').cookies.read('step')).toBe('own');
  expect(call('https', 'steps=x').cookies.read('step')).toBe('');
});
