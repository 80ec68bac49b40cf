import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Client } from 'pg';
import type { Pack } from 'tar-stream';
import { addBytes, addFile, ignoreMissing } from './archive-file.ts';

/** Files that PostgreSQL rebuilds at its start. The write-ahead log is added separately. */
const leftOut = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'backup_label',
  'tablespace_map',
]);
const segmentName = /^[\dA-F]{24}$/;

/** The first segment of the write-ahead log that makes the copy consistent. */
export interface CopiedDatabase {
  firstSegment: string;
  files: number;
}

/**
 * Adds the files of a running PostgreSQL to an archive, as `pg_basebackup` does: files change while they are
 * copied, and the write-ahead log from before the copy until after it makes them consistent. A replication
 * slot keeps that log until it is copied; the slot is dropped with its connection.
 * @param client a separate connection, as a superuser; the copy ends with it
 * @param dataFolder a folder that this process can read
 */
export async function addDatabaseFiles(
  pack: Pack,
  client: Client,
  dataFolder: string,
): Promise<CopiedDatabase> {
  const slot = `sameway_${randomUUID().replaceAll('-', '_')}`;
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
  const started = await client.query<{ segment: string }>(
    `select pg_walfile_name(pg_backup_start('sameway', true)) as segment`,
  );
  const { segment: firstSegment } = started.rows[0]!;
  let files = 0;
  for await (const name of filesBelow(dataFolder, ''))
    files += await addFile(pack, path.join(dataFolder, name), `database/${name}`);
  const { rows } = await client.query<{ segment: string; label: string; spaces: string }>(
    `select pg_walfile_name(lsn) as segment, labelfile as label, spcmapfile as spaces from pg_backup_stop(false)`,
  );
  const { segment: lastSegment, label, spaces } = rows[0]!;
  await addBytes(pack, 'database/backup_label', label);
  if (spaces !== '') throw new Error('The database has tablespaces, which are not copied.');
  // A segment is complete for readers only after the next one has begun.
  await client.query('select pg_switch_wal()');
  const written = (await fs.readdir(path.join(dataFolder, 'pg_wal')))
    .filter((name) => segmentName.test(name) && name >= firstSegment && name <= lastSegment)
    .toSorted((a, b) => (a < b ? -1 : 1));
  if (written[0] !== firstSegment || written.at(-1) !== lastSegment)
    throw new Error('PostgreSQL removed a part of its log during the copy.');
  for (const name of written)
    files += await addFile(pack, path.join(dataFolder, 'pg_wal', name), `database/pg_wal/${name}`);
  return { firstSegment, files };
}

/** Files below a folder, in no order; some may be deleted meanwhile. Folders end with a slash. */
async function* filesBelow(folder: string, within: string): AsyncGenerator<string> {
  const entries = await fs.readdir(path.join(folder, within), { withFileTypes: true }).catch(ignoreMissing);
  if (within !== '') yield `${within}/`;
  for (const entry of entries ?? []) {
    const name = path.posix.join(within, entry.name);
    if (within === '' && leftOut.has(entry.name)) {
      // Its folders must exist, empty.
      if (entry.isDirectory()) yield `${name}/`;
      continue;
    }
    // Temporary files of running statements.
    if (entry.name.startsWith('pgsql_tmp')) continue;
    if (entry.isDirectory()) yield* filesBelow(folder, name);
    else if (entry.isFile()) yield name;
  }
}
