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

/** Where PostgreSQL puts each finished piece of its log, until it is at its destination. */
export const logSpool = (databaseHome: string): string => path.join(databaseHome, 'log-spool');

/**
 * Settings with which the embedded PostgreSQL hands its log out, a piece at the latest after so many seconds.
 * On Windows there are none: the command is one of a Unix shell, and a log that no command takes would grow.
 * @param databaseHome the folder of the embedded database
 */
export function archivingSettings(databaseHome: string, everySeconds: number): Record<string, string> {
  if (process.platform === 'win32') return {};
  const spool = logSpool(databaseHome);
  fs.mkdirSync(spool, { recursive: true, mode: 0o700 });
  const { uid, gid } = databaseIdentity();
  if (uid !== undefined && gid !== undefined) fs.chownSync(spool, uid, gid);
  // Told done only when the bytes are on the disk; a second time for one that is there already is fine.
  const command = `test -f "${spool}/%f" || { cp "%p" "${spool}/%f.part" && sync "${spool}/%f.part" && mv "${spool}/%f.part" "${spool}/%f"; }`;
  return { archive_mode: 'on', archive_command: command, archive_timeout: String(everySeconds) };
}

/** Carries what lies in the spool to the destination, the oldest first. @returns how many pieces */
export async function shipLog(
  databaseHome: string,
  destination: Destination,
  { BACKUP_KEY: secret }: Pick<Env, 'BACKUP_KEY'>,
): Promise<number> {
  const spool = logSpool(databaseHome);
  if (!fs.existsSync(spool)) return 0;
  // Beside pieces there are marks of backups, which restoring does without.
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

/** Brings the log from a piece on into a folder. @returns how many pieces */
export async function fetchLog(
  destination: Destination,
  { from, into, secret }: { from: string; into: string; secret: string | undefined },
): Promise<number> {
  let count = 0;
  for (const name of await destination.list(`${folderName}/`)) {
    if (segment.test(segmentOf(name)) && segmentOf(name) < from) continue;
    const isSealed = name.endsWith('.sealed');
    if (isSealed && secret === undefined) throw new Error(`${name} is sealed: BACKUP_KEY is needed.`);
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

/** Removes the log from before a piece: no backup that is kept needs it. */
export async function dropOldLog(destination: Destination, before: string): Promise<void> {
  for (const name of await destination.list(`${folderName}/`))
    if (segment.test(segmentOf(name)) && segmentOf(name) < before) await destination.remove(name);
}
