import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '../env.ts';
import { createFiles } from '../storage/files.ts';
import { sendRead } from './answer-call.ts';
import { pagePolicy } from './content-policy.ts';
import { serveWebApp } from './web-app.ts';

let http: FastifyInstance;
let folder: string;
const read = 'a ride '.repeat(100);

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-web-'));
  const write = (name: string, content: string | Buffer) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  };
  write('web/manifest.webmanifest', '{}');
  write('web/assets/main-1a2b.js', `// ${'all the same '.repeat(500)}`);
  write('web/assets/main-1a2b.js.br', 'packed by brotli');
  write('web/assets/main-1a2b.js.gz', 'packed by gzip');
  write('web/assets/page-3c4d.js', '// a page');
  write('former/assets/page-3c4d.js', '// the same page as an earlier build had it');
  write('former/assets/page-0000.js', '// a page of an earlier build');
  write('web/sw.js', '// worker');
  write('web/.hidden', 'secret');
  write('region/map.pmtiles', Buffer.from(Array.from({ length: 1000 }, (_, byte) => byte % 256)));
  write('region/land.geojson', '{"type":"Polygon"}');
  write('data/files/public/avatars/mia.webp', 'a picture');
  write('data/files/public/avatars/leo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('data/files/private.txt', 'secret');
  http = fastify();
  await serveWebApp(http, {
    env: readEnv({ TILES_URL: 'https://tiles.example/style.json' }),
    files: createFiles({ ...readEnv({}), DATA_DIR: path.join(folder, 'data') }),
    regionFolders: new Map([['here', path.join(folder, 'region')]]),
    webFolder: path.join(folder, 'web'),
    formerFolder: path.join(folder, 'former'),
  });
  http.get('/order/list', () => ({ code: 200 }));
  http.get('/order/next', (request, reply) => sendRead(request, reply, `{"code":200,"data":"${read}"}`));
});
afterAll(async () => {
  await http.close();
  fs.rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  http.inject({ method: 'GET', url, headers });

test('the service worker is asked for anew too, so that a newer version is found', async () => {
  const worker = await get('/sw.js');
  expect([worker.statusCode, worker.headers['cache-control']]).toEqual([200, 'no-cache']);
  expect(worker.headers['content-type']).toContain('javascript');
});

test('a page that was open before an update still gets its files; the build of now comes first', async () => {
  const [former, current] = [await get('/assets/page-0000.js'), await get('/assets/page-3c4d.js')];
  expect([former.statusCode, former.body]).toEqual([200, '// a page of an earlier build']);
  expect(former.headers['cache-control']).toBe(current.headers['cache-control']);
  expect(current.body).toBe('// a page');
});

test('what is at no address is 404 in plain text, for browsers too', async () => {
  for (const url of [
    '/order/nothing',
    '/assets/gone.js',
    '/files/gone.webp',
    '/files/avatars',
    '/files/avatars/mia.webp/x',
    '/region/roads.osm.pbf',
    '/x.html',
  ]) {
    const nothing = await get(url, { accept: 'text/html' });
    expect([url, nothing.statusCode, nothing.headers['content-type']]).toEqual([
      url,
      404,
      'text/plain; charset=utf-8',
    ]);
  }
});

test('an address longer than a file can be is 404, too', async () => {
  for (const name of ['a'.repeat(300), 'a/'.repeat(3000)])
    for (const folder of ['assets', 'files', 'files/avatars'])
      expect((await get(`/${folder}/${name}`)).statusCode, `${folder}, ${name.length}`).toBe(404);
});

test('nothing outside the folders is reachable', async () => {
  const tries = [
    '/files/../private.txt',
    '/files/..%2fprivate.txt',
    '/files/%2e%2e/private.txt',
    '/assets/..%2f.hidden',
    '/.hidden',
    '/..%2fdata%2ffiles%2fprivate.txt',
    '/files/..%5cprivate.txt',
    '/files/%00',
  ];
  for (const url of tries) {
    const answer = await get(url);
    expect([url, answer.statusCode >= 400, answer.body.includes('secret')]).toEqual([url, true, false]);
  }
});

test('assets are kept forever and travel as the build has packed them', async () => {
  const script = async (name: string, encodings: string) => {
    const { statusCode, headers, body } = await get(`/assets/${name}`, { 'accept-encoding': encodings });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8']);
    expect(headers['cache-control']).toContain('immutable');
    expect(headers['vary']).toContain('accept-encoding');
    return [headers['content-encoding'], body];
  };
  expect(await script('main-1a2b.js', 'gzip, deflate, br')).toEqual(['br', 'packed by brotli']);
  expect(await script('main-1a2b.js', 'gzip')).toEqual(['gzip', 'packed by gzip']);
  expect(await script('main-1a2b.js', 'identity')).toEqual([undefined, expect.stringContaining('all the')]);
  // A file without a packed copy is sent as it is: nothing is packed while a person waits.
  expect(await script('page-3c4d.js', 'gzip, br')).toEqual([undefined, '// a page']);
});

test('the map is read in ranges', async () => {
  const part = await get('/region/here/map.pmtiles', { range: 'bytes=10-19', 'accept-encoding': 'gzip, br' });
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-range']).toBe('bytes 10-19/1000');
  expect(part.headers['content-encoding']).toBeUndefined();
  expect([...part.rawPayload]).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect((await get('/region/here/land.geojson')).statusCode).toBe(200);
  expect((await get('/region/there/map.pmtiles')).statusCode).toBe(404);
  expect((await get('/region/here/region.json')).statusCode).toBe(404);
});

test('a browser runs nothing but the app’s own scripts', async () => {
  const page = await get('/sw.js');
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("connect-src 'self' ws://localhost:3020 https://tiles.example");
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script';trusted-types sameway-scripts sameway-emails");
  expect(page.headers['strict-transport-security']).toBeUndefined();
  expect(page.headers['x-content-type-options']).toBe('nosniff');
  expect(page.headers['permissions-policy']).toContain('geolocation=(self)');
  expect(page.headers['permissions-policy']).toContain('microphone=()');
  expect(policy).not.toContain('stripe');
  const call = await get('/order/list');
  expect(call.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(call.headers['x-content-type-options']).toBe('nosniff');
  expect(call.headers['x-xss-protection']).toBeUndefined();
  const picture = await get('/files/avatars/mia.webp');
  expect([picture.body, picture.headers['content-type']]).toEqual(['a picture', 'image/webp']);
  expect(picture.headers['cache-control']).toContain('immutable');
  expect((await get('/files/avatars/leo.svg')).headers['content-type']).toBe('image/svg+xml');
  expect(String(picture.headers['content-security-policy'])).toBe("default-src 'none'; sandbox");
});

test('the card provider’s form and the hosted map are let in where a setting names them', () => {
  const given = readEnv({
    TILES_URL: 'https://tiles.example/style.json',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  });
  const [own, others] = [pagePolicy(readEnv({})), pagePolicy(given)];
  expect(own.scriptSrc).toEqual(["'self'"]);
  expect(own.frameSrc).toEqual(["'none'"]);
  expect(own.trustedTypes).toEqual(['sameway-scripts', 'sameway-emails']);
  expect(others.scriptSrc).toEqual(["'self'", 'https://js.stripe.com']);
  expect(others.frameSrc).toEqual(['https://js.stripe.com', 'https://hooks.stripe.com']);
  expect(others.connectSrc).toEqual(
    expect.arrayContaining(['https://tiles.example', 'https://api.stripe.com']),
  );
  // Stripe’s script creates the policy with this name.
  expect(others.trustedTypes).toContain('default');
  for (const policy of [own, others]) expect(JSON.stringify(policy)).not.toContain('unsafe');
});

test('behind https a browser stays there, keeps other windows out, and sockets go to the own host alone', async () => {
  const secure = fastify();
  await serveWebApp(secure, {
    env: readEnv({ PUBLIC_URL: 'https://ride.example' }),
    files: createFiles({ ...readEnv({}), DATA_DIR: path.join(folder, 'data') }),
    regionFolders: new Map(),
    webFolder: path.join(folder, 'web'),
    formerFolder: path.join(folder, 'former'),
  });
  const { headers } = await secure.inject({ url: '/sw.js' });
  await secure.close();
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(String(headers['content-security-policy'])).toMatch(/connect-src 'self' wss:\/\/ride\.example;/);
});

test('that a read has not changed is said in a few words', async () => {
  const first = await get('/order/next');
  expect(first.headers['x-content-type-options']).toBe('nosniff');
  expect(first.headers['content-security-policy']).toContain("default-src 'none'");
  const again = await get('/order/next', { 'if-none-match': String(first.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect(Object.keys(again.headers).toSorted()).toEqual(['connection', 'date', 'etag']);
});
