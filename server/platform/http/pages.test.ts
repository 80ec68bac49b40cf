import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '../env.ts';
import { servePages, type PageAnswer, type PageAsk } from './pages.ts';

let http: FastifyInstance;
let folder: string;
let asked: PageAsk | null = null;

const headOf = (address: string, language: PageAsk['language'] = 'en'): PageAnswer['head'] => ({
  language,
  siteName: 'Sameway',
  title: `Page ${address}`,
  description: 'What is there.',
  address: `http://localhost:3020${address}`,
  isIndexed: address === '/intro',
  picture: { address: 'http://localhost:3020/icon.png', alt: '', width: 512, height: 512 },
  data: null,
  lines: [],
});

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-pages-'));
  fs.writeFileSync(
    path.join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><title>Sameway</title></head><body><div id="app"></div></body></html>',
  );
  http = fastify();
  servePages(http, {
    env: readEnv({}),
    webFolder: folder,
    config: () => ({ demo: false }),
    async describe(ask) {
      asked = ask;
      return {
        status: ask.path.startsWith('/pages/nowhere') ? 404 : 200,
        head: headOf(ask.path, ask.language),
      };
    },
  });
});
afterAll(async () => {
  await http.close();
  fs.rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = { accept: 'text/html,application/xhtml+xml' }) =>
  http.inject({ method: 'GET', url, headers });

test('every page of the app is the one page with a head of its own, always asked for anew', async () => {
  for (const url of ['/', '/intro', '/pages/order/detail?id=SW-7KQ2M9', '/pages/legal/teams']) {
    const page = await get(url);
    expect([url, page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      url,
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(page.body).toContain(`<title>Page ${url.replace(/\?.*/, '')}</title>`);
    expect(page.body).toContain('<div id="app"></div>');
  }
  expect((await get('/pages/order/order', { accept: 'application/json' })).statusCode).toBe(404);
});

test('the address and the language of the browser reach the one who describes the page', async () => {
  await get('/pages/events/events?id=7&token=a%20b', { 'accept-language': 'fr, zh-TW;q=0.9, en;q=0.8' });
  expect(asked).toMatchObject({ path: '/pages/events/events', language: 'zh', network: '127.0.0.1' });
  expect(Object.fromEntries(asked!.query)).toEqual({ id: '7', token: 'a b' });
  await get('/');
  expect(asked).toMatchObject({ language: 'en' });
});

test('a page that is not there is 404, and opens the app all the same', async () => {
  const page = await get('/pages/nowhere');
  expect([page.statusCode, page.headers['x-robots-tag']]).toEqual([404, 'noindex']);
  expect(page.body).toContain('<div id="app"></div>');
});

test('search engines keep only the pages that are meant for them', async () => {
  const kept = await get('/intro');
  expect(kept.headers['x-robots-tag']).toBeUndefined();
  expect(kept.body).toContain('<link rel="canonical" href="http://localhost:3020/intro" />');
  const own = await get('/pages/order/order');
  expect(own.headers['x-robots-tag']).toBe('noindex');
  expect(own.body).toContain('<meta name="robots" content="noindex" />');
  expect(own.body).not.toContain('canonical');
});

test('a page that a browser has is not sent again until it differs', async () => {
  const first = await get('/intro');
  const tag = String(first.headers['etag']);
  const again = await get('/intro', { accept: 'text/html', 'if-none-match': tag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect(again.headers['vary']).toContain('accept-language');
  const other = await get('/intro', {
    accept: 'text/html',
    'if-none-match': tag,
    'accept-language': 'zh-CN',
  });
  expect(other.statusCode).toBe(200);
  expect(other.body).toContain('<html lang="zh-CN">');
});

test('under another name of this machine a page leads to the one address that everything else names', async () => {
  const url = '/pages/order/detail?id=SW-7KQ2M9';
  const opened = async (host: string) => {
    const page = await get(url, { host, accept: 'text/html' });
    return [page.statusCode, page.headers['location']];
  };
  expect(await opened('127.0.0.1:3020')).toEqual([302, `http://localhost:3020${url}`]);
  expect(await opened('[::1]:3020')).toEqual([302, `http://localhost:3020${url}`]);
  expect(await opened('localhost:3020')).toEqual([200, undefined]);
  // Another port leads here through something else, and another machine's name through a proxy.
  expect(await opened('127.0.0.1:8080')).toEqual([200, undefined]);
  expect(await opened('ride.example.com')).toEqual([200, undefined]);
});

test('of scripts in HTML the one that starts the app may run, by its hash, on the pages that have it', async () => {
  const built = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-built-'));
  const web = path.join(built, 'web');
  fs.mkdirSync(web);
  fs.copyFileSync(path.join(folder, 'index.html'), path.join(web, 'index.html'));
  const page = { layout: 'map', isTab: true, scripts: [], words: { en: [], zh: [] } };
  const drawn = { plain: '<h1>Hello</h1>', demo: '<h1>Hello</h1>' };
  const firstScreens = {
    script: 'start()',
    greeting: { en: '', zh: '' },
    pages: { '/intro': { en: drawn, zh: drawn } },
  };
  fs.writeFileSync(
    path.join(built, 'web-pages.json'),
    JSON.stringify({ '/intro': page, '/pages/legal/legal': page }),
  );
  fs.writeFileSync(path.join(built, 'web-first-screens.json'), JSON.stringify(firstScreens));
  const server = fastify();
  server.addHook('onRequest', async (_request, reply) => {
    reply.raw.setHeader('Content-Security-Policy', "default-src 'self';script-src 'self';object-src 'none'");
  });
  servePages(server, {
    env: readEnv({}),
    webFolder: web,
    config: () => ({}),
    describe: async () => ({ status: 200, head: headOf('/intro') }),
  });
  const policyOf = async (url: string) =>
    (await server.inject({ url, headers: { host: 'localhost:3020' } })).headers['content-security-policy'];
  const hash = createHash('sha256').update('start()').digest('base64');
  expect(await policyOf('/intro')).toBe(
    `default-src 'self';script-src 'self' 'sha256-${hash}';object-src 'none'`,
  );
  expect(await policyOf('/pages/legal/legal')).toBe("default-src 'self';script-src 'self';object-src 'none'");
  await server.close();
  fs.rmSync(built, { recursive: true });
});
