import net, { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '#contract/app/endpoints.ts';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { openTestApp, type TestApp, type TestPerson } from '../test-app.ts';
import { leaksIn } from './leaks.ts';
import { liftLimits } from './lift-limits.ts';
import { printCounts } from './report.ts';

// Clients that are slow, send too much, or send malformed HTTP: the server closes each, and answers other
// clients meanwhile.

let app: TestApp;
let mia: TestPerson;
let port = 0;
let restoreLimits = () => {};
const counts: Record<string, number> = {};
const count = (what: string, by = 1) => (counts[what] = (counts[what] ?? 0) + by);
beforeAll(async () => {
  app = await openTestApp();
  mia = await app.person('Mia');
  restoreLimits = liftLimits();
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (app.http.server.address() as AddressInfo).port;
});
afterAll(async () => {
  restoreLimits();
  app.http.server.closeAllConnections();
  await app.close();
  printCounts('slow clients', counts);
});

interface Ended {
  said: string;
  seconds: number;
}

/** Opens a connection, lets `speak` write to it, and waits for its end. */
function connection(speak: (socket: net.Socket) => (() => void) | void): Promise<Ended> {
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let said = '';
    let stop: (() => void) | void;
    socket.on('connect', () => (stop = speak(socket)));
    socket.on('data', (piece: Buffer) => {
      if (said.length < 10_000) said += piece.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      stop?.();
      resolve({ said, seconds: (performance.now() - began) / 1000 });
    });
  });
}

/** Writes a text one character per second. */
const slowly = (text: string) => (socket: net.Socket) => {
  let at = 0;
  const timer = setInterval(() => socket.writable && socket.write(text[at++ % text.length]!), 1000);
  return () => clearInterval(timer);
};

const post = `POST ${postFeedback.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;

async function answeredInMs(): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${version.path}`);
  await answer.text();
  return performance.now() - began;
}

test('four hundred clients that send one byte a second, or nothing, are disconnected, and others get answers', async () => {
  const silent = Array.from({ length: 100 }, () => connection(() => {}));
  const slowHead = Array.from({ length: 100 }, () =>
    connection(slowly(`GET / HTTP/1.1\r\nX: ${'y'.repeat(500)}`)),
  );
  const slowBody = Array.from({ length: 100 }, () =>
    connection((socket) => {
      socket.write(`${post}Content-Length: 5000\r\n\r\n{"subject":"`);
      return slowly('x')(socket);
    }),
  );
  const slowChunks = Array.from({ length: 100 }, () =>
    connection((socket) => {
      socket.write(`${post}Transfer-Encoding: chunked\r\n\r\n`);
      return slowly('1\r\na\r\n')(socket);
    }),
  );
  const all = Promise.all([...silent, ...slowHead, ...slowBody, ...slowChunks]);
  let slowest = 0;
  const watching = setInterval(() => {
    void answeredInMs().then((ms) => (slowest = Math.max(slowest, ms)));
  }, 500);
  const ended = await all;
  clearInterval(watching);
  count('slow connections', ended.length);
  counts['longest of these in s'] = Math.round(Math.max(...ended.map(({ seconds }) => seconds)));
  counts['slowest answer to others in ms'] = Math.round(slowest);
  expect(Math.max(...ended.map(({ seconds }) => seconds))).toBeLessThan(120);
  expect(slowest).toBeLessThan(2000);
}, 240_000);

const get = (line: string, headers = '') => `${line}\r\nHost: a\r\n${headers}\r\n`;
const oddRequests: [string, string][] = [
  ['a header of 20 KB', get('GET /app/version HTTP/1.1', `X: ${'y'.repeat(20_000)}\r\n`)],
  ['a thousand headers', get('GET /app/version HTTP/1.1', 'X: y\r\n'.repeat(1000))],
  ['an address of 100 KB', get(`GET /${'a'.repeat(100_000)} HTTP/1.1`)],
  ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
  [
    'a length and chunks',
    `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n\r\n`,
  ],
  ['chunks twice over', `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
  ['chunks by another name', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['a space before the colon', `${post}Content-Length : 2\r\n\r\n{}`],
  ['a folded header', get('GET /app/version HTTP/1.1', 'X: a\r\n b\r\n')],
  ['a bare line feed', 'GET /app/version HTTP/1.1\nHost: a\n\n'],
  ['a zero byte in a header', get('GET /app/version HTTP/1.1', 'X: a\0b\r\n')],
  ['a chunk of a negative length', `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`],
  ['a chunk of a huge length', `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\na`],
  ['an extension of a chunk without end', `${post}Transfer-Encoding: chunked\r\n\r\n1;${'e'.repeat(50_000)}`],
  ['no host', 'GET /app/version HTTP/1.1\r\n\r\n'],
  ['two hosts', get('GET /app/version HTTP/1.1', 'Host: b\r\n')],
  ['an old version', 'GET /app/version\r\n\r\n'],
  ['a version to come', get('GET /app/version HTTP/9.9')],
  ['a tunnel', get('CONNECT 127.0.0.1:22 HTTP/1.1')],
  ['a trace', get('TRACE / HTTP/1.1', 'Authorization: Bearer secret\r\n')],
  ['an unknown method', get('BREW / HTTP/1.1')],
  ['an address of another server', get('GET http://169.254.169.254/latest/ HTTP/1.1')],
  ['a path out of the folder', get('GET /../../../../etc/passwd HTTP/1.1')],
  ['a path out of the folder, encoded twice', get('GET /files/%252e%252e/%252e%252e/etc/passwd HTTP/1.1')],
  [
    'an upgrade to nothing',
    get('GET / HTTP/1.1', 'Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n'),
  ],
  [
    'a socket that is none',
    get(
      'GET /live/?EIO=4&transport=websocket HTTP/1.1',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n',
    ),
  ],
  ['polling, which is off', get('GET /live/?EIO=4&transport=polling HTTP/1.1')],
  ['letters of no protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
];

test.each(oddRequests)('%s is refused or answered, and tells nothing', async (_, request) => {
  const { said } = await connection((socket) => {
    socket.write(Buffer.from(request, 'latin1'));
    // Ends a connection that still waits.
    setTimeout(() => socket.end(), 300);
    setTimeout(() => socket.destroy(), 2000);
  });
  const statuses = [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  count('odd requests');
  // Pages of a server without a built web app say so.
  const isUnbuilt = said.includes('The web app is not built');
  for (const status of statuses) expect(status, said.slice(0, 300)).toBeLessThan(isUnbuilt ? 504 : 500);
  expect(statuses.length).toBeLessThanOrEqual(1);
  expect(leaksIn(said)).toEqual([]);
  expect(said).not.toContain('root:');
});

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

test.each<[string, string | Buffer, Record<string, string>]>([
  ['lists 400,000 levels deep', nested('[', ']', 400_000), {}],
  ['objects 100,000 levels deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, {}],
  ['a field with lists 200,000 levels deep', `{"subject":${nested('[', ']', 200_000)},"message":"x"}`, {}],
  [
    '50,000 names',
    JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at]))),
    {},
  ],
  ['a gzip bomb', gzipSync(Buffer.alloc(100_000_000)), { 'content-encoding': 'gzip' }],
  ['a bomb in a bomb', gzipSync(gzipSync(Buffer.alloc(100_000_000))), { 'content-encoding': 'gzip, gzip' }],
  ['an unknown encoding', '{}', { 'content-encoding': 'zstd' }],
])('%s costs little and is refused', async (_, body, headers) => {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${postFeedback.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${mia.token}`, ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const text = await answer.text();
  count('deep and packed bodies');
  expect(performance.now() - began).toBeLessThan(3000);
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 200) expect(JSON.parse(text)).toMatchObject({ code: 422 });
  expect(leaksIn(text)).toEqual([]);
});
