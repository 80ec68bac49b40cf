import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { isInstalled, openProxy } from './local-proxy.ts';

// The shipped HAProxy in front of two processes that are slow, that refuse, or that are gone.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-haproxy-'));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A process as HAProxy sees it; the test changes how it is. */
async function openProcess(name: string) {
  const state = { readyAfterMs: 0, ready: 200, calls: 0 };
  const server = http.createServer((request, response) => {
    if (request.url !== '/ready') {
      state.calls += 1;
      response.end(name);
      return;
    }
    setTimeout(() => response.writeHead(state.ready).end(), state.readyAfterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  closers.push(close);
  return { state, close, port: (server.address() as AddressInfo).port };
}

test('HAProxy keeps slow processes, takes out one that refuses, and says a sentence when all are gone', async ({
  skip,
}) => {
  if (!isInstalled('haproxy')) {
    process.stderr.write('haproxy is not installed: its checks are not tried (Debian: haproxy).\n');
    return skip();
  }
  fs.mkdirSync(folder, { recursive: true });
  const [first, second] = [await openProcess('first'), await openProcess('second')];
  const proxy = await openProxy('haproxy', folder, [first.port, second.port]);
  closers.push(proxy.stop);
  const calls = async (seconds: number) => {
    const answers: string[] = [];
    for (let done = 0; done < seconds * 10; done += 1) {
      const answer = await fetch(proxy.url);
      answers.push(answer.ok ? await answer.text() : `HTTP ${answer.status}`);
      await sleep(100);
    }
    return new Set(answers);
  };

  for (const { state } of [first, second]) state.readyAfterMs = 2500;
  expect(await calls(12)).toEqual(new Set(['first', 'second']));

  for (const { state } of [first, second]) state.readyAfterMs = 0;
  await sleep(4000);
  first.state.ready = 503;
  await sleep(2500);
  expect(await calls(3)).toEqual(new Set(['second']));

  // As while their database is away: the processes themselves say so.
  second.state.ready = 503;
  await sleep(2500);
  expect(await calls(3)).toEqual(new Set(['first', 'second']));

  await first.close();
  await second.close();
  const answer = await fetch(proxy.url);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  const page = await answer.text();
  expect(page).toContain('Sameway is unavailable for a moment.');
  expect(page).toContain('顺路暂时无法使用');
});
