import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, type Pool } from 'pg';
import { z } from 'zod';
import { MovableClock } from '../../server/platform/clock.ts';
import { scratchFolder } from '../../server/platform/database/database-folder.ts';
import type { databaseOf } from '../../server/platform/database/db.ts';
import { startEmbeddedPostgres } from '../../server/platform/database/embedded-postgres.ts';
import type { migrateDatabase } from '../../server/platform/database/migrate.ts';
import type { newPerson, TestPerson } from '../../server/testing/people.ts';
import { say } from '../bench-app.ts';
import type { fillDatabase } from '../growth/fill.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const databaseName = 'sameway';
const noted = z.object({ commit: z.string().regex(/^[\da-f]{40}$/), migration: z.string() });

/** The release before this one, as installations run it. */
export interface FormerRelease {
  folder: string;
  /** The script that starts its server. */
  main: string;
  /** The last migration of that release. */
  migration: string;
  /** Brings an empty database to that release's schema and fills it by that release's benchmark of growth. */
  fillDatabase(pool: Pool, scale: number): Promise<void>;
  /** Creates people as that release does: in a database without later columns. */
  signUpIn(pool: Pool): (name: string) => Promise<TestPerson>;
  remove(): void;
}

function git(...args: string[]): { failed: string | null; said: string } {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' });
  if (error !== undefined) return { failed: 'git is not installed', said: '' };
  return { failed: status === 0 ? null : stderr.trim(), said: stdout.trim() };
}

type Packages = Record<string, string>;
const packagesOf = (folder: string): Packages =>
  (JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { dependencies: Packages })
    .dependencies;

/**
 * Links the packages of this release if they include all that the former one needs; otherwise installs its
 * own.
 */
function bringPackages(folder: string): void {
  const here = packagesOf(root);
  const areSame = Object.entries(packagesOf(folder)).every(([name, version]) => here[name] === version);
  if (areSame) {
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    return;
  }
  const words = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', words, {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('The packages of the former release could not be installed.');
}

export function skipped(trouble: string): { skipped: string } {
  say(`SKIPPED: ${trouble}`);
  return { skipped: trouble };
}

/** Works with the former release, and an empty database of an embedded PostgreSQL, in a temporary folder. */
export async function withFormerRelease<T>(
  work: (of: { former: FormerRelease; folder: string; databaseUrl: string }) => Promise<T>,
): Promise<T | { skipped: string }> {
  const folder = scratchFolder('sameway-upgrade-', 8 * 1024 ** 3);
  const former = await checkOutFormerRelease(path.join(folder, 'former'));
  if (typeof former === 'string') {
    fs.rmSync(folder, { recursive: true, force: true });
    return skipped(former);
  }
  const postgres = await startEmbeddedPostgres(path.join(folder, 'postgres'));
  try {
    return await work({ former, folder, databaseUrl: await makeDatabase(postgres.connection) });
  } finally {
    await postgres.stop();
    former.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

type Connection = Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection'];

/** @returns its address */
async function makeDatabase({ host, port, user, password }: Connection): Promise<string> {
  const admin = new Client({ host, port, user, password, database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${databaseName}`);
  await admin.end();
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${databaseName}?${query.toString()}`;
}

/**
 * Checks out the former release into `folder` (`server/migrations/former-release.json` names it).
 * @returns why that is impossible, in one sentence, if this is not a clone with its history.
 */
async function checkOutFormerRelease(folder: string): Promise<FormerRelease | string> {
  const file = path.join(root, 'server', 'migrations', 'former-release.json');
  const { commit, migration } = noted.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  const { failed } = git('cat-file', '-e', `${commit}^{commit}`);
  if (failed !== null) return `The former release (${commit.slice(0, 12)}) is not in this clone: ${failed}`;
  const added = git('worktree', 'add', '--detach', '--force', folder, commit);
  if (added.failed !== null) return `The former release cannot be checked out: ${added.failed}`;
  const remove = () => {
    git('worktree', 'remove', '--force', folder);
  };
  try {
    bringPackages(folder);
    return {
      folder,
      main: path.join(folder, 'server', 'main.ts'),
      migration,
      ...(await worksOf(folder)),
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What that release does with a database, by its own modules. */
async function worksOf(folder: string): Promise<Pick<FormerRelease, 'fillDatabase' | 'signUpIn'>> {
  const module = (name: string) => import(pathToFileURL(path.join(folder, name)).href);
  const people = (await module('server/testing/people.ts')) as { newPerson: typeof newPerson };
  const database = (await module('server/platform/database/db.ts')) as { databaseOf: typeof databaseOf };
  const migrate = (await module('server/platform/database/migrate.ts')) as {
    migrateDatabase: typeof migrateDatabase;
  };
  const growth = (await module('bench/growth/fill.ts')) as { fillDatabase: typeof fillDatabase };
  return {
    async fillDatabase(pool, scale) {
      await migrate.migrateDatabase(pool);
      await growth.fillDatabase(pool, scale, new Date());
    },
    signUpIn(pool) {
      const platform = { db: database.databaseOf(pool), clock: new MovableClock() };
      return (name) => people.newPerson(platform, name);
    },
  };
}
