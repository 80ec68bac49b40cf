import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { scratchFolder } from '../../server/platform/database/database-folder.ts';
import { say } from '../bench-app.ts';

const debianFolder = '/usr/lib/postgresql';
const nobody = 65534;

/**
 * Runs `work` on a PostgreSQL with PostGIS: the one that `POSTGIS_URL` names, in a schema of its own, else a
 * server made for the occasion from the packages of the machine. Nothing is left behind. Null, loudly, where
 * there is neither.
 */
export async function withPostgis<T>(work: (client: Client) => Promise<T>): Promise<T | null> {
  const url = process.env['POSTGIS_URL'];
  if (url !== undefined && url !== '') return inOwnSchema({ connectionString: url }, work);
  const binaries = findBinaries();
  if (binaries === null) {
    say(
      `SKIPPED: PostGIS is not measured; POSTGIS_URL is not set, and no PostgreSQL in ${debianFolder} has the extension.`,
    );
    return null;
  }
  return onOwnServer(binaries, (connection) => inOwnSchema(connection, work));
}

/** The newest installation that has the extension. */
function findBinaries(): string | null {
  if (!fs.existsSync(debianFolder)) return null;
  const versions = fs.readdirSync(debianFolder).toSorted((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const binaries = path.join(debianFolder, version, 'bin');
    const asked = spawnSync(path.join(binaries, 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
    // Debian's pg_config comes with the development files only.
    const shared = asked.status === 0 ? asked.stdout.trim() : path.join('/usr/share/postgresql', version);
    const isWhole = ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(binaries, name)));
    if (isWhole && fs.existsSync(path.join(shared, 'extension', 'postgis.control'))) return binaries;
  }
  return null;
}

async function onOwnServer<T>(binaries: string, work: (connection: ClientConfig) => Promise<T>): Promise<T> {
  const folder = scratchFolder('sameway-postgis-');
  // PostgreSQL refuses root.
  const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (identity.uid !== undefined) fs.chownSync(folder, identity.uid, identity.gid);
  try {
    say('Starting a PostgreSQL with PostGIS …');
    const data = path.join(folder, 'data');
    const made = spawnSync(
      path.join(binaries, 'initdb'),
      ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      { ...identity, cwd: folder, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error?.message ?? ''}`);
    // A socket in a folder that only its owner and root may enter; what is measured is read from memory.
    const settings = {
      listen_addresses: '',
      shared_buffers: '512MB',
      work_mem: '64MB',
      fsync: 'off',
      jit: 'off',
    };
    const log = fs.openSync(path.join(folder, 'log'), 'a');
    const server = spawn(
      path.join(binaries, 'postgres'),
      [
        '-D',
        data,
        '-k',
        folder,
        ...Object.entries(settings).flatMap(([name, to]) => ['-c', `${name}=${to}`]),
      ],
      { ...identity, cwd: folder, stdio: ['ignore', log, log] },
    );
    fs.closeSync(log);
    const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
    try {
      const connection = { host: folder, port: 5432, user: 'bench', database: 'postgres' };
      await answers(connection, () => server.exitCode === null, path.join(folder, 'log'));
      return await work(connection);
    } finally {
      server.kill('SIGINT');
      await ended;
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function answers(connection: ClientConfig, lives: () => boolean, logFile: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000 && lives(); waitedMs += 100) {
    const client = new Client(connection);
    try {
      await client.connect();
      return;
    } catch {
      await sleep(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`PostgreSQL did not start: ${fs.readFileSync(logFile, 'utf8')}`);
}

async function inOwnSchema<T>(connection: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(connection);
  await client.connect();
  const schema = `sameway_bench_${randomUUID().slice(0, 8)}`;
  try {
    await client.query('create extension if not exists postgis');
    await client.query(`create schema ${schema}`);
    await client.query(`set search_path = ${schema}, public`);
    return await work(client);
  } finally {
    await client.query(`drop schema if exists ${schema} cascade`).catch(() => undefined);
    await client.end();
  }
}
