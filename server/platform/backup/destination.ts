import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { hourMs, minuteMs } from '../clock.ts';
import type { Env } from '../env.ts';
import { ignoreMissing } from './archive-file.ts';

/** Storage for backups. All names are our own: lower-case words, numbers and up to one folder. */
export interface Destination {
  /** The name for people. */
  title: string;
  /** Stores a stream under a name, completely or not at all. @returns its size in bytes */
  write(name: string, from: Readable): Promise<number>;
  read(name: string): Promise<Readable>;
  /** All names with this prefix, sorted. */
  list(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
}

type BucketEnv = Pick<Env, 'S3_URL' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'>;

/**
 * @param target a folder, or `s3://bucket/prefix` at the host of `S3_URL`, with its keys; at Amazon if that
 * is not set
 * @throws Error with a sentence if it cannot be used
 */
export function openDestination(target: string, env: BucketEnv): Destination {
  if (!target.startsWith('s3:')) return inFolder(path.resolve(target));
  const { hostname: bucket, pathname } = new URL(target);
  if (bucket === '' || env.S3_ACCESS_KEY_ID === '')
    throw new Error(`${target} needs a bucket, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
  const host =
    env.S3_URL === undefined ? `https://s3.${env.S3_REGION}.amazonaws.com` : new URL(env.S3_URL).origin;
  const prefix = pathname.replaceAll(/^\/+|\/+$/g, '');
  return inBucket(env, {
    title: target,
    address: `${host}/${bucket}`,
    prefix: prefix === '' ? '' : `${prefix}/`,
  });
}

function inFolder(folder: string): Destination {
  const fileOf = (name: string) => path.join(folder, name);
  return {
    title: folder,
    async write(name, from) {
      const file = fileOf(name);
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const aside = `${file}.part`;
      await removeOldParts(path.dirname(file));
      try {
        await pipeline(from, fs.createWriteStream(aside, { mode: 0o600, flush: true }));
        fs.renameSync(aside, file);
      } catch (error) {
        fs.rmSync(aside, { force: true });
        throw error;
      }
      return fs.statSync(file).size;
    },
    async read(name) {
      const stream = fs.createReadStream(fileOf(name));
      await once(stream, 'open');
      return stream;
    },
    async list(prefix) {
      const within = path.posix.dirname(`${prefix}x`);
      const names = await fs.promises.readdir(fileOf(within)).catch(ignoreMissing);
      return (names ?? [])
        .map((name) => path.posix.join(within, name))
        .filter((name) => name.startsWith(prefix) && !name.endsWith('.part'))
        .toSorted((a, b) => (a < b ? -1 : 1));
    },
    remove: (name) => fs.promises.rm(fileOf(name), { force: true }),
  };
}

/** Longer than any database takes to be dumped before its first bytes arrive. */
const oldPartMs = 6 * hourMs;

/** A process that is killed leaves the part that it has written, which nothing else would remove. */
async function removeOldParts(folder: string): Promise<void> {
  for (const name of await fs.promises.readdir(folder)) {
    if (!name.endsWith('.part')) continue;
    const file = path.join(folder, name);
    const part = await fs.promises.stat(file).catch(ignoreMissing);
    if (part !== null && Date.now() - part.mtimeMs >= oldPartMs) await fs.promises.rm(file, { force: true });
  }
}

/** The size of an upload's parts: S3 accepts 10,000 of them, of at least 5 MiB each except the last. */
const partBytes = 32 * 1024 * 1024;
const answersWithinMs = 5 * minuteMs;

function inBucket(
  env: BucketEnv,
  { title, address, prefix }: { title: string; address: string; prefix: string },
): Destination {
  const aws = new AwsClient({
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    region: env.S3_REGION,
    service: 's3',
    retries: 3,
  });
  async function ask(method: string, question: string, body?: Uint8Array | string): Promise<Response> {
    const answer = await aws.fetch(`${address}${question.startsWith('?') ? '' : '/'}${question}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(answersWithinMs),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    if (!answer.ok) throw new Error(`${title} answered ${answer.status} to ${method} ${question}.`);
    return answer;
  }
  const keyOf = (name: string) => `${prefix}${name}`;

  return {
    title,
    async write(name, from) {
      const key = keyOf(name);
      const opened = await (await ask('POST', `${key}?uploads=`)).text();
      const upload = `uploadId=${encodeURIComponent(tagged(opened, 'UploadId')[0] ?? '')}`;
      try {
        const tags: string[] = [];
        let bytes = 0;
        for await (const part of inParts(from)) {
          const answer = await ask('PUT', `${key}?partNumber=${tags.length + 1}&${upload}`, part);
          tags.push(answer.headers.get('etag') ?? '');
          bytes += part.length;
        }
        const parts = tags.map(
          (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
        );
        const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
        const said = await (await ask('POST', `${key}?${upload}`, body)).text();
        // S3 can report an error in the body of an answer with status 200.
        if (said.includes('<Error>')) throw new Error(`${title} did not store ${name}.`);
        return bytes;
      } catch (error) {
        await ask('DELETE', `${key}?${upload}`).catch(() => undefined);
        throw error;
      }
    },
    async read(name) {
      const { body } = await ask('GET', keyOf(name));
      return Readable.fromWeb(body as ReadableStream);
    },
    async list(start) {
      const names: string[] = [];
      let more = '';
      do {
        const question = `?list-type=2&prefix=${encodeURIComponent(keyOf(start))}${more}`;
        const answer = await (await ask('GET', question)).text();
        names.push(...tagged(answer, 'Key').map((key) => key.slice(prefix.length)));
        const token = tagged(answer, 'NextContinuationToken')[0];
        more = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`;
      } while (more !== '');
      return names;
    },
    async remove(name) {
      await ask('DELETE', keyOf(name));
    },
  };
}

/** The contents of all elements with this tag, in XML from the server. */
const tagged = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text]) =>
    text!.replaceAll('&amp;', '&'),
  );

/** At least one part; all have the same size, except the last. */
async function* inParts(from: Readable): AsyncGenerator<Buffer> {
  let kept: Buffer[] = [];
  let bytes = 0;
  let count = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    kept.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    yield Buffer.concat(kept);
    count++;
    [kept, bytes] = [[], 0];
  }
  if (bytes > 0 || count === 0) yield Buffer.concat(kept);
}
