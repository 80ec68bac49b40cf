import { execFile } from 'node:child_process';
import path from 'node:path';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import { testCacheFolder } from '../../server/testing/cache-folder.ts';
import { addressOf } from '../../server/testing/database.ts';
import { runAdmin } from './commands.ts';

interface Ended {
  status: number;
  said: string;
  complained: string;
}

/** Runs commands on a test's database. */
export function commandLine(pool: Pool) {
  const settings = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    DATABASE_URL: addressOf(pool),
    DATA_DIR: testCacheFolder,
  };

  async function run(...words: string[]): Promise<Ended> {
    const [said, complained]: [string[], string[]] = [[], []];
    const out = { log: (line: string) => said.push(line), error: (line: string) => complained.push(line) };
    const status = await runAdmin(words, { out, settings });
    return { status, said: said.join('\n').trim(), complained: complained.join('\n').trim() };
  }

  /** In a process of its own, as an operator or a program of theirs starts it. */
  function start(...words: string[]): Promise<Ended> {
    const main = path.resolve(import.meta.dirname, '..', 'admin.ts');
    return new Promise((resolve) => {
      const args = ['--disable-warning=ExperimentalWarning', main, ...words];
      const child = execFile(process.execPath, args, { env: settings }, (_, stdout, stderr) =>
        resolve({ status: child.exitCode ?? -1, said: stdout.trim(), complained: stderr.trim() }),
      );
    });
  }

  /** The output of a command for programs. */
  async function told(...words: string[]): Promise<unknown> {
    const { status, said, complained } = await run(...words, '--json');
    expect({ status, complained }).toEqual({ status: 0, complained: '' });
    return JSON.parse(said);
  }

  return { run, start, told };
}
