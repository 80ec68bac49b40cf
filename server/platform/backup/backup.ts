import fs from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
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
import { addDatabaseFiles } from './database-files.ts';
import type { Destination } from './destination.ts';
import { dropOldLog } from './log-archive.ts';
import { seal } from './sealed.ts';

export type BackupEnv = Pick<
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
