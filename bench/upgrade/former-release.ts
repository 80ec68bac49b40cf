import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pool } from 'pg';
import { z } from 'zod';
import { MovableClock } from '../../server/platform/clock.ts';
import type { databaseOf } from '../../server/platform/database/db.ts';
import type { newPerson, TestPerson } from '../../server/testing/people.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const noted = z.object({ commit: z.string().regex(/^[\da-f]{40}$/), migration: z.string() });

/** The release before this one, as installations run it. */
export interface FormerRelease {
  /** The script that starts its server. */
  main: string;
  /** The last migration of that release. */
  migration: string;
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

/**
 * Checks out the former release into `folder` (`server/migrations/former-release.json` names it).
 * @returns why that is impossible, in one sentence, if this is not a clone with its history.
 */
export async function checkOutFormerRelease(folder: string): Promise<FormerRelease | string> {
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
      main: path.join(folder, 'server', 'main.ts'),
      migration,
      signUpIn: await signUp(folder),
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function signUp(folder: string): Promise<FormerRelease['signUpIn']> {
  const server = (name: string) => import(pathToFileURL(path.join(folder, 'server', name)).href);
  const people = (await server('testing/people.ts')) as { newPerson: typeof newPerson };
  const database = (await server('platform/database/db.ts')) as { databaseOf: typeof databaseOf };
  return (pool) => {
    const platform = { db: database.databaseOf(pool), clock: new MovableClock() };
    return (name) => people.newPerson(platform, name);
  };
}
