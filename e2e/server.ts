import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '..');
const startWithinMs = 180_000;

/** A server process of its own, on a data folder of its own. */
export interface RunningServer {
  url: string;
  /** Ends the process as a power cut would, without a word. */
  kill(): Promise<void>;
  /** Ends the process as Ctrl-C would. */
  stop(): Promise<void>;
}

/** A data folder for one run; `remove` it afterwards. */
export function newDataFolder(): { folder: string; remove: () => void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-e2e-'));
  // The embedded database may run as another user, who must be able to pass.
  fs.chmodSync(folder, 0o755);
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the real server, with the demo community unless `settings` say otherwise, and waits until it answers. */
export async function startServer(
  dataFolder: string,
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = fs.openSync(path.join(dataFolder, 'server.log'), 'a');
  const server = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(root, 'server', 'main.ts')],
    {
      cwd: root,
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        NODE_ENV: 'test',
        PORT: String(port),
        DATA_DIR: dataFolder,
        DEMO: '1',
        LOG_LEVEL: 'warn',
        ...settings,
      },
    },
  );
  fs.closeSync(log);
  for (let waited = 0; waited < startWithinMs; waited += 100) {
    if (server.exitCode !== null) break;
    if (await answers(url))
      return { url, kill: () => end(server, 'SIGKILL'), stop: () => end(server, 'SIGINT') };
    await sleep(100);
  }
  await end(server, 'SIGKILL');
  throw new Error(
    `The server did not start:\n${fs.readFileSync(path.join(dataFolder, 'server.log'), 'utf8').slice(-3000)}`,
  );
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/app/version`)).ok;
  } catch {
    return false;
  }
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no free port')),
      );
    });
  });
}
