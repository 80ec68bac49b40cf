import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './server-process.ts';

/** A Redis of its own on 127.0.0.1 that keeps nothing. */
export interface RedisServer {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const startWithinMs = 20_000;

/** Null where none is installed, which is said loudly: what would be shown with it is not. */
export async function openRedisServer(): Promise<RedisServer | null> {
  if (spawnSync('redis-server', ['--version']).error !== undefined) {
    process.stderr.write(
      'redis-server is not installed: what several processes say over Redis is not tested.\n',
    );
    return null;
  }
  const port = await freePort();
  let running: ChildProcess | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      running = spawn('redis-server', options, { stdio: 'ignore' });
      for (let waited = 0; waited < startWithinMs && !(await answers(port)); waited += 20) await sleep(20);
    },
    async stop() {
      if (running === null || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise((resolve) => running!.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    },
  };
  await server.start();
  return server;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
