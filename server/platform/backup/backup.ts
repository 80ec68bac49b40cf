import fs from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { pack as openPack, type Pack } from 'tar-stream';
import { placeDatabase } from '../database/database-folder.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { releaseOf } from '../database/migrate.ts';
import type { Env } from '../env.ts';
import { filesFolder } from '../storage/files.ts';
import { addBytes, addFile, ignoreMissing } from './archive-file.ts';
import {
  archiveName,
  backupsAt,
  descriptionName,
  noteName,
  type BackupNote,
  type DescriptionInside,
} from './backup-notes.ts';
import { noteLastBackup } from './backup-state.ts';
import { addDatabaseDump } from './database-dump.ts';
import type { Destination } from './destination.ts';
import { dropOldLog } from './log-archive.ts';
import { seal } from './sealed.ts';

type BackupEnv = Pick<
  Env,
  | 'DATABASE_URL'
  | 'DATABASE_DIRECT_URL'
  | 'DATABASE_MIGRATION_URL'
  | 'DATA_DIR'
  | 'S3_URL'
  | 'BACKUP_KEY'
  | 'BACKUP_KEEP'
>;

/**
 * Backs up a running installation: database, pictures and settings, as one archive and a file that describes
 * it. An archive without a description does not count. Afterwards, deletes the backups beyond the number to
 * keep.
 * @param settings the variables that the installation was started with; without an encryption key, only their
 *   names are stored
 */
export async function backUp(
  env: BackupEnv,
  destination: Destination,
  settings: NodeJS.ProcessEnv,
): Promise<BackupNote> {
  const beganAt = new Date();
  const { BACKUP_KEY: secret } = env;
  const archive = archiveName(beganAt, secret !== undefined);
  const begun: Begun = {
    format: 1,
    archive,
    beganAt: beganAt.toISOString(),
    pictures: env.S3_URL === undefined ? 'included' : 'in a bucket',
    isSealed: secret !== undefined,
  };
  const pack = openPack();
  const stages: Transform[] = [createZstdCompress(), ...(secret === undefined ? [] : [seal(secret)])];
  const out = new PassThrough();
  const [written, copied, piped] = await Promise.allSettled([
    destination.write(archive, out),
    fill(pack, env, { settings, begun }).catch((error: unknown) => {
      pack.destroy(error as Error);
      throw error;
    }),
    pipeline([pack as unknown as Readable, ...stages, out]),
  ]);
  if (written.status === 'rejected' || copied.status === 'rejected' || piped.status === 'rejected')
    throw causeOf([written, copied, piped]);
  const note: BackupNote = { ...copied.value, bytes: written.value };
  await destination.write(noteName(archive), Readable.from([Buffer.from(JSON.stringify(note, null, 2))]));
  await onDatabase(env, (client) => noteLastBackup(drizzle(client), note.at, new Date()));
  await dropOld(env, destination);
  return note;
}

/**
 * The cause of a failure: if one of several piped streams fails, the others only report that they were cut
 * off.
 */
function causeOf(ends: readonly PromiseSettledResult<unknown>[]): unknown {
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []));
  const isCutOff = ({ code }: NodeJS.ErrnoException) =>
    code === 'ABORT_ERR' || code === 'ERR_STREAM_PREMATURE_CLOSE';
  return reasons.find((reason) => !isCutOff(reason)) ?? reasons[0];
}

type Begun = Pick<DescriptionInside, 'format' | 'archive' | 'beganAt' | 'pictures' | 'isSealed'>;
type Copied = Pick<BackupNote, 'release' | 'migration' | 'database' | 'firstSegment' | 'files'>;

async function fill(
  pack: Pack,
  env: BackupEnv,
  { settings, begun }: { settings: NodeJS.ProcessEnv; begun: Begun },
): Promise<DescriptionInside> {
  const kept = Object.entries(settings).filter(([, value]) => value !== undefined && value !== '');
  const names = kept.map(([name]) => name);
  await addBytes(
    pack,
    'settings.json',
    JSON.stringify(env.BACKUP_KEY === undefined ? { names } : Object.fromEntries(kept), null, 2),
  );
  const url = givenUrl(env);
  const database = await onDatabase(env, (client) =>
    url === undefined ? addEmbedded(pack, client, env.DATA_DIR) : addGiven(pack, client, url),
  );
  let { files } = database;
  const pictures = filesFolder(env.DATA_DIR);
  if (env.S3_URL === undefined)
    for (const name of await filesIn(pictures))
      files += await addFile(pack, path.join(pictures, name), `files/${name}`);
  const description = { ...begun, ...database, files, at: new Date().toISOString() };
  await addBytes(pack, descriptionName, JSON.stringify(description, null, 2));
  pack.finalize();
  return description;
}

async function addEmbedded(pack: Pack, client: Client, dataFolder: string): Promise<Copied> {
  const home = placeDatabase(dataFolder);
  const release = await releaseOf(client);
  const copied = await addDatabaseFiles(pack, client, path.join(home, 'data'));
  const files = await addFile(pack, path.join(home, 'secret'), 'database-secret');
  return { ...release, ...copied, database: 'files', files: copied.files + files };
}

const addGiven = async (pack: Pack, client: Client, url: string): Promise<Copied> => ({
  ...(await releaseOf(client)),
  database: 'dump',
  files: await addDatabaseDump(pack, url),
});

/** A connection as the owner of the database; the embedded one may run already, or is started for it. */
async function onDatabase<T>(env: BackupEnv, work: (client: Client) => Promise<T>): Promise<T> {
  const url = givenUrl(env);
  if (url !== undefined) return withClient({ connectionString: url }, work);
  const postgres = await startEmbeddedPostgres(placeDatabase(env.DATA_DIR));
  try {
    return await withClient(postgres.connection, work);
  } finally {
    if (!postgres.attached) await postgres.stop();
  }
}

const givenUrl = (env: BackupEnv): string | undefined =>
  env.DATABASE_MIGRATION_URL ?? env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;

async function withClient<T>(
  connection: ConstructorParameters<typeof Client>[0],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** Deletes all but the latest `BACKUP_KEEP` backups, and the log that none of them needs. */
async function dropOld({ BACKUP_KEEP: keep }: BackupEnv, destination: Destination): Promise<void> {
  const all = await backupsAt(destination);
  const old = all.slice(0, Math.max(0, all.length - keep));
  for (const { archive } of old) {
    // The description first: an archive without one does not count as a backup.
    await destination.remove(noteName(archive));
    await destination.remove(archive);
  }
  const first = all.slice(old.length).find(({ firstSegment }) => firstSegment !== undefined)?.firstSegment;
  if (first !== undefined) await dropOldLog(destination, first);
}

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
interface CopiedDatabase {
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
async function addDatabaseFiles(pack: Pack, client: Client, dataFolder: string): Promise<CopiedDatabase> {
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
