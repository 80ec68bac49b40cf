import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Env } from './env.ts';

/**
 * Where uploaded files lie. A key is a path such as `private/licences/x.webp`, made by the server and never by a
 * person. What stands below `public/` anybody reads under `/files/`; the rest only through the room it belongs to.
 */
export interface Files {
  /** Keeps the bytes under a key; what was there before is replaced whole. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is nothing under the key. */
  read(key: string): Promise<Buffer | null>;
  /** Fine when there is nothing. */
  remove(key: string): Promise<void>;
}

/** The folder of the files that anybody may read. */
export const publicFilesFolder = (env: Pick<Env, 'DATA_DIR'>): string =>
  path.join(filesFolder(env), 'public');
const filesFolder = (env: Pick<Env, 'DATA_DIR'>): string => path.join(env.DATA_DIR, 'files');

/** Files in a folder of this machine, below `DATA_DIR`. */
export function createFiles(env: Pick<Env, 'DATA_DIR'>): Files {
  const root = filesFolder(env);
  const fileOf = (key: string): string => {
    const file = path.join(root, key);
    if (!file.startsWith(root + path.sep)) throw new Error(`The key ${key} leads out of the file store.`);
    return file;
  };
  return {
    async write(key, bytes) {
      const file = fileOf(key);
      await fs.mkdir(path.dirname(file), { recursive: true });
      // Written aside and then named, so that nobody reads half a file.
      const aside = `${file}.${randomUUID()}`;
      await fs.writeFile(aside, bytes);
      await fs.rename(aside, file);
    },
    async read(key) {
      try {
        return await fs.readFile(fileOf(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async remove(key) {
      await fs.rm(fileOf(key), { force: true });
    },
  };
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
