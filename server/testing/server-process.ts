import { spawn, type ChildProcess } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ownMain = path.resolve(import.meta.dirname, '..', 'main.ts');
// A machine that others keep busy may take minutes.
const startWithinMs = 900_000;

/** A server process of its own, for what only a real end of a process can show. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Ends it as a power cut would, without a signal that it could handle. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C would. */
  stop(): Promise<void>;
}

/**
 * Starts the real server on 127.0.0.1 and waits until it answers.
 * @param main the script that starts it, if not this release's.
 * @param flags of its Node.
 */
export async function startServerProcess(
  port: number,
  settings: Record<string, string>,
  main: string = ownMain,
  flags: readonly string[] = ['--disable-warning=ExperimentalWarning'],
): Promise<ServerProcess> {
  const url = `http://127.0.0.1:${port}`;
  let said = '';
  const server = spawn(process.execPath, [...flags, main], {
    // Over the channel it notices the end of this process.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: String(port),
      REGION: 'santa-cruz',
      ...settings,
    },
  });
  server.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-3000);
  });
  for (let waited = 0; waited < startWithinMs && server.exitCode === null; waited += 50) {
    const answer = await fetch(`${url}/app/version`).catch(() => null);
    if (answer?.ok === true)
      return { url, pid: server.pid!, kill: () => end(server, 'SIGKILL'), stop: () => end(server, 'SIGINT') };
    await sleep(50);
  }
  await end(server, 'SIGKILL');
  throw new Error(`The server did not start:\n${said}`);
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}

/** A port that no process listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('There is no free port.')),
      );
    });
  });
}
