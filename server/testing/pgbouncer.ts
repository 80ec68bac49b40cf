import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseIdentity } from '../platform/database/database-folder.ts';
import { freePort } from './server-process.ts';

/** A PgBouncer of its own on 127.0.0.1 in transaction mode, before any database of a server. */
export interface PgBouncer {
  port: number;
  stop(): Promise<void>;
}

const binary = '/usr/sbin/pgbouncer';
const startWithinMs = 20_000;

/** Null where none is installed, which is said loudly: what would be shown with it is not. */
export async function openPgBouncer(to: {
  host: string;
  port: number;
  user: string;
  password: string;
}): Promise<PgBouncer | null> {
  if (spawnSync(binary, ['--version']).error !== undefined) {
    process.stderr.write('pgbouncer is not installed: what goes by way of it is not tested.\n');
    return null;
  }
  const port = await freePort();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-pgbouncer-'));
  fs.chmodSync(folder, 0o755);
  const file = path.join(folder, 'pgbouncer.ini');
  // Each transaction goes to another connection than the one before, so that nothing of a session survives.
  fs.writeFileSync(
    file,
    `[databases]
* = host=${to.host} port=${to.port} user=${to.user} password='${to.password}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
server_round_robin = 1
`,
  );
  // Root may not run it, and the socket of the embedded database is its user's alone.
  const running = spawn(binary, [file], { stdio: 'ignore', ...databaseIdentity() });
  for (let waited = 0; waited < startWithinMs && !(await answers(port)); waited += 20) await sleep(20);
  return {
    port,
    async stop() {
      await end(running);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const ended = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGKILL');
  await ended;
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
