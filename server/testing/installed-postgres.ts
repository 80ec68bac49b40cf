import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { databaseIdentity, scratchFolder } from '../platform/database/database-folder.ts';
import { freePort } from './server-process.ts';

/** The operating system's PostgreSQL with its client programs, on 127.0.0.1, as operators use it. */
export interface InstalledPostgres {
  /** Creates an empty database. @returns its address */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

const debianFolder = '/usr/lib/postgresql';
const startWithinMs = 60_000;

/** Null if none is installed; then it prints a warning that the test is incomplete. */
export async function openInstalledPostgres(): Promise<InstalledPostgres | null> {
  const version = fs.existsSync(debianFolder) ? fs.readdirSync(debianFolder).toSorted().at(-1) : undefined;
  const bin = path.join(debianFolder, version ?? '', 'bin');
  if (!fs.existsSync(path.join(bin, 'initdb')) || spawnSync('pg_dump', ['--version']).error !== undefined) {
    const words = 'PostgreSQL is not installed: dumps of it are not tested (Debian: postgresql).';
    process.stderr.write(`${words}\n`);
    return null;
  }
  const identity = databaseIdentity();
  const folder = scratchFolder('sameway-postgres-', 512 * 1024 ** 2);
  const home = path.join(folder, 'home');
  fs.mkdirSync(home, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined)
    fs.chownSync(home, identity.uid, identity.gid);
  const data = path.join(home, 'data');
  const options = ['-U', 'operator', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  const made = spawnSync(path.join(bin, 'initdb'), ['-D', data, ...options], {
    ...identity,
    cwd: home,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const where = ['-p', String(port), '-k', home, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...where], {
    ...identity,
    cwd: home,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const addressOf = (name: string) => `postgres://operator@127.0.0.1:${port}/${name}`;
  const ask = async (statement: string): Promise<boolean> => {
    const client = new Client(addressOf('postgres'));
    try {
      await client.connect();
      await client.query(statement);
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  for (let waited = 0; !(await ask('select 1')); waited += 50) {
    if (waited > startWithinMs) throw new Error('The installed PostgreSQL did not start.');
    await sleep(50);
  }
  return {
    async create(name) {
      await ask(`create database ${name}`);
      return addressOf(name);
    },
    async stop() {
      server.kill('SIGINT');
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
