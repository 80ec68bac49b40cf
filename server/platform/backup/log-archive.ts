import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Env } from '../env.ts';
import { databaseIdentity } from '../database/database-folder.ts';
import type { Destination } from './destination.ts';
import { seal, unseal } from './sealed.ts';

const folderName = 'log';
const segment = /^[\dA-F]{24}$/;
const segmentOf = (name: string): string => path.posix.basename(name).slice(0, 24);

/**
 * The folder where PostgreSQL puts each finished segment of its log until it is copied to the destination.
 */
export const logSpool = (databaseHome: string): string => path.join(databaseHome, 'log-spool');

/**
 * Settings that make the embedded PostgreSQL archive its log, a segment at least every `everySeconds`. None
 * on Windows: the command is one of a Unix shell, and a log whose command fails would grow.
 * @param databaseHome the folder of the embedded database
 */
export function archivingSettings(databaseHome: string, everySeconds: number): Record<string, string> {
  if (process.platform === 'win32') return {};
  const spool = logSpool(databaseHome);
  fs.mkdirSync(spool, { recursive: true, mode: 0o700 });
  const { uid, gid } = databaseIdentity();
  if (uid !== undefined && gid !== undefined) fs.chownSync(spool, uid, gid);
  // Reports success only once the bytes are on the disk; repeating it for an existing file succeeds.
  const command = `test -f "${spool}/%f" || { cp "%p" "${spool}/%f.part" && sync "${spool}/%f.part" && mv "${spool}/%f.part" "${spool}/%f"; }`;
  return { archive_mode: 'on', archive_command: command, archive_timeout: String(everySeconds) };
}

/** Copies the segments in the spool to the destination, the oldest first. @returns how many */
export async function shipLog(
  databaseHome: string,
  destination: Destination,
  { BACKUP_KEY: secret }: Pick<Env, 'BACKUP_KEY'>,
): Promise<number> {
  const spool = logSpool(databaseHome);
  if (!fs.existsSync(spool)) return 0;
  // The folder also contains backup labels, which a restore does not need.
  const names = fs.readdirSync(spool).filter((name) => !name.endsWith('.part'));
  let count = 0;
  for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
    const file = path.join(spool, name);
    if (segment.test(name) || name.endsWith('.history')) {
      const out = new PassThrough();
      const stages = [createZstdCompress(), ...(secret === undefined ? [] : [seal(secret)]), out];
      await Promise.all([
        pipeline([fs.createReadStream(file), ...stages]),
        destination.write(`${folderName}/${name}.zst${secret === undefined ? '' : '.sealed'}`, out),
      ]);
      count++;
    }
    fs.rmSync(file);
  }
  return count;
}

/** The key of a log, and whether all of it must be encrypted with it. */
export interface LogKey {
  secret: string | undefined;
  mustBeSealed: boolean;
}

/** A file without encryption could have been written by all who can write to the destination. */
export const notSealed = (name: string, { title }: Destination): Error =>
  new Error(
    `${name} is not encrypted, although BACKUP_KEY is set: anyone who can write to ${title} may have put it there. If you trust it, add --unsealed.`,
  );

/** Copies the log from this segment on into a folder. @returns how many segments */
export async function fetchLog(
  destination: Destination,
  { from, into, key: { secret, mustBeSealed } }: { from: string; into: string; key: LogKey },
): Promise<number> {
  let count = 0;
  for (const name of await destination.list(`${folderName}/`)) {
    if (segment.test(segmentOf(name)) && segmentOf(name) < from) continue;
    const isSealed = name.endsWith('.sealed');
    if (mustBeSealed && !isSealed) throw notSealed(name, destination);
    if (isSealed && secret === undefined) throw new Error(`${name} is encrypted: BACKUP_KEY is needed.`);
    const plain = path.posix.basename(name).replace(/\.zst(\.sealed)?$/, '');
    await pipeline([
      await destination.read(name),
      ...(isSealed ? [unseal(secret!)] : []),
      createZstdDecompress(),
      fs.createWriteStream(path.join(into, plain)),
    ]);
    count++;
  }
  return count;
}

/** Deletes the log before this segment: no remaining backup needs it. */
export async function dropOldLog(destination: Destination, before: string): Promise<void> {
  for (const name of await destination.list(`${folderName}/`))
    if (segment.test(segmentOf(name)) && segmentOf(name) < before) await destination.remove(name);
}
