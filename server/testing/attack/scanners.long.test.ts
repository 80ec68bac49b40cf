import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccessFixture, type AccessFixture } from '../access-fixture.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { liftLimits } from './lift-limits.ts';
import { printCounts } from './report.ts';

// Runs Debian's scanners against a listening server: sqlmap on calls that search and write, wapiti on
// everything it finds. If they are not installed, the test is skipped with a message.

const has = (program: string): boolean => spawnSync('which', [program]).status === 0;
const [hasSqlmap, hasWapiti] = [has('sqlmap'), has('wapiti')];
if (!hasSqlmap || !hasWapiti)
  process.stdout.write(
    `SKIPPED: ${[!hasSqlmap && 'sqlmap', !hasWapiti && 'wapiti'].filter(Boolean).join(' and ')} is not installed; apt-get install sqlmap wapiti\n`,
  );

let app: TestApp;
let fixture: AccessFixture;
let url = '';
let restoreLimits = () => {};
let requests = 0;
const failed: string[] = [];
const counts: Record<string, number> = {};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-scanners-'));
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { DATA_DIR: folder },
  });
  restoreLimits = liftLimits();
  app.http.server.on('request', ({ method, url: asked }, response) => {
    requests += 1;
    response.on('finish', () => {
      // Pages answer 503 if the web app is not built.
      const isFailed = response.statusCode >= 500 && response.statusCode !== 503;
      if (isFailed) failed.push(`${method} ${asked} ${response.statusCode}`);
    });
  });
  fixture = await openAccessFixture(app, 'joined');
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  restoreLimits();
  app.http.server.closeAllConnections();
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
  printCounts('scanners', { ...counts, requests, 'answers of 5xx': failed.length });
});

/** Runs a program and returns its output. */
function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, HOME: folder } });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (said += piece.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(said));
  });
}

const targets: [string, () => string[]][] = [
  ['GET /address/search', () => [`${url}/address/search?text=Pacific&signTime=1`, '-p', 'text']],
  ['GET /contact/search', () => [`${url}/contact/search?text=driver`, '-p', 'text']],
  ['GET /order/detail', () => [`${url}/order/detail?id=${fixture.ride.id}`, '-p', 'id']],
  ['GET /order/nearby', () => [`${url}/order/nearby?lon=-122.03&lat=36.97&offset=0`, '-p', 'lon,lat,offset']],
  ['GET /admin/users', () => [`${url}/admin/users?text=a&offset=0&size=10`, '-p', 'text,offset,size']],
  [
    'POST /access/login',
    () => [`${url}/access/login`, '--data', '{"email":"a@example.com","phone":"","password":"x*"}'],
  ],
  ['POST /tag/create', () => [`${url}/tag/create`, '--data', '{"name":"Climbing*"}']],
  ['GET /car/models', () => [`${url}/car/models?brand=Toyota`, '-p', 'brand']],
];

test.skipIf(!hasSqlmap).each(targets)('sqlmap finds no way into %s', async (_, target) => {
  const [address = '', ...more] = target();
  const { token } = fixture.people.admin;
  const said = await run('sqlmap', [
    '-u',
    address,
    ...more,
    '--batch',
    '--flush-session',
    '--level=3',
    '--risk=2',
    '--dbms=PostgreSQL',
    '--technique=BEUST',
    '--time-sec=3',
    `--headers=Authorization: Bearer ${token}\nContent-Type: application/json`,
    `--output-dir=${path.join(folder, 'sqlmap')}`,
  ]);
  expect(said).toContain('all tested parameters do not appear to be injectable');
  expect(said).not.toMatch(/is vulnerable|appears to be .*injectable|identified the following injection/);
  counts['calls by sqlmap'] = (counts['calls by sqlmap'] ?? 0) + 1;
});

test.skipIf(!hasWapiti)('wapiti finds nothing on the pages and calls that a guest reaches', async () => {
  const report = path.join(folder, 'wapiti.json');
  const before = requests;
  const said = await run('wapiti', [
    '-u',
    `${url}/`,
    ...[
      '/address/search?text=Pacific',
      '/event/list',
      '/order/nearby?lon=-122.03&lat=36.97',
      '/app/config',
    ].flatMap((at) => ['-s', `${url}${at}`]),
    '--scope',
    'folder',
    '-m',
    'sql,xss,exec,file,crlf,ssrf,redirect,xxe,backup,methods,shellshock',
    '-f',
    'json',
    '-o',
    report,
    '--flush-session',
    '--max-scan-time',
    '300',
    '--no-bugreport',
    '-v',
    '0',
  ]);
  expect(fs.existsSync(report), said.slice(-1000)).toBe(true);
  const { vulnerabilities, anomalies } = JSON.parse(fs.readFileSync(report, 'utf8')) as {
    vulnerabilities: Record<string, unknown[]>;
    anomalies: Record<string, unknown[]>;
  };
  const found = Object.entries({ ...vulnerabilities, ...anomalies }).filter(([, each]) => each.length > 0);
  expect(found).toEqual([]);
  counts['kinds looked for by wapiti'] = Object.keys(vulnerabilities).length;
  counts['requests by wapiti'] = requests - before;
});

test('no request of a scanner caused an internal error', () => {
  expect(failed).toEqual([]);
});
