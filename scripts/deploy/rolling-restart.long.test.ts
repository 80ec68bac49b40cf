import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listEvents } from '#contract/events/endpoints.ts';
import { readSetup } from '#contract/setup/endpoints.ts';
import { openLive } from '../../server/testing/chat-client.ts';
import { freePort, startServerProcess, type ServerProcess } from '../../server/testing/server-process.ts';
import { isInstalled, openProxy, proxies, retriesBodies } from './local-proxy.ts';

// Two web processes behind a proxy with the shipped configuration, restarted one after the other.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-rolling-'));
const settings = { DATA_DIR: path.join(folder, 'data'), LIVE_ADAPTER: 'postgres', TRUST_PROXY: '1' };
const callers = 6;

let ports: [number, number];
let servers: ServerProcess[];

beforeAll(async () => {
  ports = [await freePort(), await freePort()];
  servers = [await startServerProcess(ports[0], settings)];
  servers.push(await startServerProcess(ports[1], settings));
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Makes one call; null if it got a regular answer, otherwise a description of what it got. */
function refused(url: string, agent: http.Agent, body: string | null): Promise<string | null> {
  return new Promise((resolve) => {
    const options = {
      agent,
      method: body === null ? 'GET' : 'POST',
      headers: body === null ? {} : { 'content-type': 'application/json' },
    };
    const request = http.request(url, options, (response) => {
      response
        .resume()
        .once('end', () => resolve(response.statusCode === 200 ? null : `HTTP ${response.statusCode}`));
      response.once('error', (error) => resolve(error.message));
    });
    request.once('error', (error) => resolve(error.message));
    request.end(body ?? undefined);
  });
}

/**
 * Calls continuously until it is stopped, over keep-alive connections and over new ones.
 * @returns from `end`: how many calls were answered, and how many were refused, by what they got
 */
function callOn(url: string, hasWrites: boolean) {
  const ending = new AbortController();
  let answered = 0;
  const refusals: Record<string, number> = {};
  const loops = Array.from({ length: callers }, async (_, index) => {
    const agent = new http.Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
    while (!ending.signal.aborted) {
      const writes = hasWrites && index % 3 === 0;
      const address = writes ? `${url}${readSetup.path}` : `${url}${listEvents.path}`;
      const why = await refused(address, agent, writes ? '{"token":"none"}' : null);
      if (why === null) answered++;
      else refusals[why] = (refusals[why] ?? 0) + 1;
      await sleep(5);
    }
    agent.destroy();
  });
  return {
    async end() {
      ending.abort();
      await Promise.all(loops);
      return { answered, refusals };
    },
  };
}

/**
 * The reasons that nginx logged, without the connections that a stopped process refused. Only nginx has such
 * a file.
 */
function reasonsIn(of: string): string {
  const file = path.join(of, 'nginx.log');
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => !line.includes('Connection refused')).join('\n');
}

test.for(proxies)(
  'behind %s each process is ended and started anew, and no call is refused',
  async (program, { skip }) => {
    if (!isInstalled(program)) {
      process.stderr.write(`${program} is not installed: a restart behind it is not tried.\n`);
      return skip();
    }
    const proxy = await openProxy(program, folder, ports);
    // The proxy passes sockets on: the server is what refuses this one.
    const socket = openLive(proxy.url, 'a token of no session');
    const why = await new Promise((resolve) =>
      socket.once('connect_error', ({ message }) => resolve(message)),
    );
    expect(why).toBe('session.missing');
    socket.disconnect();
    const hasWrites = retriesBodies(program);
    if (!hasWrites)
      process.stderr.write(`This ${program} cannot pass on calls with a body: only reads are tried.\n`);
    const calling = callOn(proxy.url, hasWrites);
    try {
      for (const [index, port] of ports.entries()) {
        await sleep(1500);
        process.kill(servers[index]!.pid, 'SIGTERM');
        await servers[index]!.stop();
        servers[index] = await startServerProcess(port, settings);
        // As an operator would: restart the next one only after this one is ready again.
        while ((await fetch(`${servers[index].url}/ready`)).status !== 200) await sleep(100);
      }
      await sleep(1500);
    } finally {
      const { answered, refusals } = await calling.end();
      await proxy.stop();
      process.stderr.write(`${program}: ${answered} calls answered, refused: ${JSON.stringify(refusals)}.\n`);
      if (Object.keys(refusals).length > 0) process.stderr.write(reasonsIn(folder));
      expect(refusals).toEqual({});
      expect(answered).toBeGreaterThan(500);
    }
  },
);
