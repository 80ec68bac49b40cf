import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRead } from './answer-call.ts';

let http: FastifyInstance;
let said = 'first';
const long = () => JSON.stringify({ code: 200, info: 'OK', data: `${said} `.repeat(200) });

beforeAll(() => {
  http = fastify();
  http.get('/long', (request, reply) => sendRead(request, reply, long()));
  http.get('/short', (request, reply) => sendRead(request, reply, '{"code":200}'));
});
afterAll(() => http.close());

const get = (url: string, tag?: unknown) =>
  http.inject({ url, headers: typeof tag === 'string' ? { 'if-none-match': tag } : {} });

test('an answer that an app has already is not sent again until it differs', async () => {
  const first = await get('/long');
  expect([first.statusCode, first.body]).toEqual([200, long()]);
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
  const again = await get('/long', first.headers['etag']);
  expect([again.statusCode, again.body]).toEqual([304, '']);
  said = 'second';
  const changed = await get('/long', first.headers['etag']);
  expect([changed.statusCode, changed.body]).toEqual([200, long()]);
  expect(changed.headers['etag']).not.toBe(first.headers['etag']);
});

test('a short answer has no tag: it is no longer than one', async () => {
  const { headers, body } = await get('/short');
  expect([headers['etag'], body]).toEqual([undefined, '{"code":200}']);
});
