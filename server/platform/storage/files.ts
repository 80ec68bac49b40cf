import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { AwsClient } from 'aws4fetch';
import { hourMs, secondMs } from '../clock.ts';
import type { Env } from '../env.ts';

/**
 * Where pictures lie: uploaded ones, all of them WebP, and drawn ones; and the parts of exports. A key is a
 * path such as `private/licences/x.webp`, made by the server and never by a person. Files below `public/` any
 * client reads under `/files/`; the rest only through the feature it belongs to.
 */
export interface Files {
  /** Keeps the bytes under a key; what was there before is replaced whole. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is nothing under the key. */
  read(key: string): Promise<Buffer | null>;
  /** Fine when there is nothing. */
  remove(key: string): Promise<void>;
}

/** The media type of what lies under a key. */
export function typeOfFile(key: string): string {
  if (key.endsWith('.part')) return 'application/octet-stream';
  return key.endsWith('.svg') ? 'image/svg+xml' : 'image/webp';
}

type FilesEnv = Pick<Env, 'DATA_DIR' | 'S3_URL' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>;

/**
 * In a bucket where `S3_URL` names one, so that several machines share them; else in a folder below
 * `DATA_DIR`.
 */
export const createFiles = (env: FilesEnv): Files =>
  env.S3_URL === undefined ? filesInFolder(filesFolder(env.DATA_DIR)) : filesInBucket(env, env.S3_URL);

/** The folder for files that are not in a bucket. */
export const filesFolder = (dataFolder: string): string => path.join(dataFolder, 'files');

const answersWithinMs = 20 * secondMs;

/**
 * Files in a bucket of S3, or of what speaks as it does, addressed by path (`https://host/bucket`). Requests
 * that fail on the way are tried again twice.
 */
function filesInBucket(env: FilesEnv, bucket: string): Files {
  const aws = new AwsClient({
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    region: env.S3_REGION,
    service: 's3',
    retries: 2,
  });
  const ask = async (method: string, key: string, body?: Uint8Array): Promise<Response> => {
    checkKey(key);
    const answer = await aws.fetch(`${bucket.replace(/\/$/, '')}/${key}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(answersWithinMs),
      ...(body === undefined
        ? {}
        : { body: new Uint8Array(body), headers: { 'content-type': typeOfFile(key) } }),
    });
    if (answer.ok || answer.status === 404) return answer;
    throw new Error(`The file store answered ${answer.status} to ${method} ${key}.`);
  };
  return {
    async write(key, bytes) {
      const answer = await ask('PUT', key, bytes);
      if (!answer.ok) throw new Error('The file store has no such bucket.');
    },
    async read(key) {
      const answer = await ask('GET', key);
      return answer.ok ? Buffer.from(await answer.arrayBuffer()) : null;
    },
    async remove(key) {
      await ask('DELETE', key);
    },
  };
}

/** A partial file older than this belongs to a process that died. */
const asideMs = hourMs;

function checkKey(key: string): void {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key))
    throw new Error(`The key ${key} leads out of the file store.`);
}

function filesInFolder(root: string): Files {
  const fileOf = (key: string): string => {
    checkKey(key);
    return path.join(root, key);
  };
  const folderAside = path.join(root, 'aside');
  let clearedAt = -Infinity;

  /** Removes what processes that died while they wrote have left. */
  async function clearAside(): Promise<void> {
    if (performance.now() - clearedAt < asideMs) return;
    clearedAt = performance.now();
    for (const name of await fs.readdir(folderAside)) {
      const file = path.join(folderAside, name);
      const written = await fs.stat(file).catch(nullIfMissing);
      if (written !== null && Date.now() - written.mtimeMs >= asideMs) await fs.rm(file, { force: true });
    }
  }

  return {
    async write(key, bytes) {
      const file = fileOf(key);
      await fs.mkdir(path.dirname(file), { recursive: true });
      await fs.mkdir(folderAside, { recursive: true });
      await clearAside();
      // Written elsewhere and then moved, so that no reader gets half a file.
      const aside = path.join(folderAside, randomUUID());
      try {
        await fs.writeFile(aside, bytes);
        await fs.rename(aside, file);
      } catch (error) {
        await fs.rm(aside, { force: true });
        throw error;
      }
    },
    async read(key) {
      return fs.readFile(fileOf(key)).catch(nullIfMissing);
    },
    async remove(key) {
      await fs.rm(fileOf(key), { force: true });
    },
  };
}

const missing = ['ENOENT', 'EISDIR', 'ENOTDIR'];

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && missing.includes(String(error.code))) return null;
  throw error;
}
