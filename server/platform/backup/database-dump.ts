import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Pack } from 'tar-stream';
import { addFile } from './archive-file.ts';

export const dumpName = 'database.dump';

/**
 * Adds a `pg_dump` of a database, in its custom format, as of one moment.
 * @throws Error if PostgreSQL's client programs are missing or older than the server
 */
export async function addDatabaseDump(pack: Pack, url: string): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-dump-'));
  try {
    const file = path.join(folder, dumpName);
    await runPostgres('pg_dump', [
      '--format=custom',
      '--no-owner',
      '--no-acl',
      `--file=${file}`,
      `--dbname=${url}`,
    ]);
    return await addFile(pack, file, dumpName);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Restores a dump into an empty database, completely or not at all. */
export const restoreDump = (file: string, url: string): Promise<void> =>
  runPostgres('pg_restore', [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-acl',
    `--dbname=${url}`,
    file,
  ]);

async function runPostgres(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(child.stderr);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () =>
      reject(
        new Error(
          `${program} is not installed: PostgreSQL’s client programs are needed where DATABASE_URL is set.`,
        ),
      ),
    );
    child.once('exit', resolve);
  });
  if (code !== 0)
    throw new Error(`${program} failed: ${(await said).trim().split('\n').slice(0, 3).join(' ')}`);
}
