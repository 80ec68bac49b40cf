import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstInstalled } from './installed.ts';
import { answersWithinMs, browserEnv, type Engine, type EngineWindow } from './window.ts';

/** The smallest window that the browser of WebKitGTK takes. */
const size = { width: 447, height: 806 };
const startWithinMs = 30_000;

/** Tells the driver something, as the W3C's WebDriver has it. @throws Error with what the driver says. */
async function tell(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answersWithinMs),
  });
  const { value } = (await answer.json()) as { value: unknown };
  if (answer.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`WebKitWebDriver says ${error}: ${message}`);
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** A virtual screen, for a browser that needs one. */
async function startScreen(): Promise<{ child: ChildProcess; display: string }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface(child.stdio[3] as Readable);
  const [number] = (await once(lines, 'line', { signal: AbortSignal.timeout(startWithinMs) })) as [string];
  return { child, display: `:${number}` };
}

async function startDriver(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const child = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let waitedMs = 0; waitedMs < startWithinMs; waitedMs += 100) {
    const isReady = await tell(`${url}/status`, 'GET').catch(() => null);
    if (isReady !== null) return { child, url };
    await sleep(100);
  }
  await end(child);
  throw new Error('WebKitWebDriver did not start.');
}

const pointer = (steps: object[]) => ({
  actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: steps }],
});
const keys = (text: string) => ({
  actions: [
    {
      type: 'key',
      id: 'keys',
      actions: Array.from(text).flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    },
  ],
});

async function windowOf(driver: string, close: () => Promise<void>): Promise<EngineWindow> {
  const { sessionId } = (await tell(`${driver}/session`, 'POST', {
    capabilities: { alwaysMatch: {} },
  })) as { sessionId: string };
  const session = `${driver}/session/${sessionId}`;
  await tell(`${session}/window/rect`, 'POST', size);
  return {
    open: async (url) => void (await tell(`${session}/url`, 'POST', { url })),
    evaluate: (expression) =>
      tell(`${session}/execute/sync`, 'POST', { script: `return (${expression});`, args: [] }),
    click: async ({ x, y }) => {
      const steps = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport' },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await tell(`${session}/actions`, 'POST', pointer(steps));
    },
    type: async (text) => void (await tell(`${session}/actions`, 'POST', keys(text))),
    screenshot: async () => Buffer.from((await tell(`${session}/screenshot`, 'GET')) as string, 'base64'),
    close: async () => {
      await tell(session, 'DELETE').catch(() => undefined);
      await close();
    },
  };
}

/** WebKitGTK in its own small browser, by its driver, on a screen and in a home of their own. */
async function launchWebkit(): Promise<EngineWindow> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-webkit-'));
  const started: ChildProcess[] = [];
  const close = async () => {
    for (const child of started.toReversed()) await end(child);
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const screen = await startScreen();
    started.push(screen.child);
    const driver = await startDriver({
      ...browserEnv,
      DISPLAY: screen.display,
      HOME: home,
      XDG_CACHE_HOME: path.join(home, 'cache'),
      XDG_CONFIG_HOME: path.join(home, 'config'),
      XDG_DATA_HOME: path.join(home, 'data'),
    });
    started.push(driver.child);
    return await windowOf(driver.url, close);
  } catch (error) {
    await close();
    throw error;
  }
}

export const webkit: Engine = {
  name: 'WebKitGTK',
  missing: () => {
    if (firstInstalled('WebKitWebDriver') === null)
      return 'WebKitGTK’s driver is not installed (apt-get install webkit2gtk-driver xvfb)';
    return firstInstalled('Xvfb') === null ? 'Xvfb is not installed (apt-get install xvfb)' : null;
  },
  launch: launchWebkit,
};
