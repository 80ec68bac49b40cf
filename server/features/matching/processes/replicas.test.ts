import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { PairAsk } from '../engine/engine.ts';
import { Replicas } from './replicas.ts';
import { dialectOf, write } from './wire.ts';

const servers: Server[] = [];
const opened: Replicas[] = [];
afterEach(() => {
  for (const replicas of opened.splice(0)) replicas.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function replicasOf(...urls: string[]): Replicas {
  const log = pino({ level: 'silent' });
  const patience = { nextAfterMs: 200, giveUpAfterMs: 400 };
  const replicas = new Replicas({ urls, secret: 'a secret of sixteen', dialect: '1', log, patience });
  opened.push(replicas);
  return replicas;
}

const question: PairAsk = {
  kind: 'wishPairs',
  nowMs: 0,
  wish: {
    seats: 1,
    pickups: [],
    dropoffs: [],
    walkMetres: 0,
    earliestMs: 0,
    latestMs: Infinity,
    arriveByMs: Infinity,
    preferences: 0,
  },
  offerCents: null,
  rides: [],
};
const answers: RequestListener = (_request, response) => response.end(write([null]));

test.each<[string, RequestListener]>([
  ['hangs', () => {}],
  ['is not ready', (_request, response) => response.writeHead(503).end()],
  ['is of another release', (_request, response) => response.writeHead(409).end()],
  ['breaks off', (request) => request.socket.destroy()],
])('one that %s is passed over, and then left out', async (_what, handle) => {
  const asked = vi.fn();
  const broken = await listen((request, response) => {
    if (request.method === 'POST') asked();
    handle(request, response);
  });
  const replicas = replicasOf(broken, await listen(answers));
  for (let each = 0; each < 5; each++) expect(await replicas.ask('judge', question)).toEqual([null]);
  expect(asked).toHaveBeenCalledOnce();
});

test('one that was left out is asked again when it says that it is ready', async () => {
  let isReady = false;
  const asked = vi.fn();
  const flaky = await listen((request, response) => {
    if (!isReady) return void response.writeHead(503).end();
    if (request.method === 'POST') asked();
    answers(request, response);
  });
  const replicas = replicasOf(flaky, await listen(answers));
  for (let each = 0; each < 2; each++) await replicas.ask('judge', question);
  isReady = true;
  await vi.waitFor(
    async () => {
      await replicas.ask('judge', question);
      expect(asked).toHaveBeenCalled();
    },
    { timeout: 10_000 },
  );
});

test('processes without a region understand each other: their header has no space that HTTP cuts off', () => {
  expect(new Headers({ dialect: dialectOf({ REGION: '' }) }).get('dialect')).toBe(dialectOf({ REGION: '' }));
});

test('where none is ready a person is told to try again, and who starts waits', async () => {
  let isReady = false;
  const replicas = replicasOf(
    await listen((_request, response) => response.writeHead(isReady ? 200 : 503).end()),
  );
  await expect(replicas.ask('judge', question)).rejects.toMatchObject({
    reason: 'server.gettingReady',
    code: 429,
  });
  const ready = replicas.untilReady();
  isReady = true;
  await ready;
});
