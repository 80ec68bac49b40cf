import fs from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { Client } from 'pg';
import { pack as openPack, type Pack } from 'tar-stream';
import { z } from 'zod';
import { placeDatabase } from '../database/database-folder.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { releaseOf } from '../database/migrate.ts';
import type { Env } from '../env.ts';
import { addBytes, addFile } from './archive-file.ts';
import { archiveName, backupsAt, noteName, type BackupNote } from './backup-notes.ts';
import { addDatabaseDump } from './database-dump.ts';
import { addDatabaseFiles, ignoreMissing, type CopiedDatabase } from './database-files.ts';
import type { Destination } from './destination.ts';
import { dropOldLog } from './log-archive.ts';
import { seal } from './sealed.ts';

export type BackupEnv = Pick<
  Env,
  'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATA_DIR' | 'S3_URL' | 'BACKUP_KEY' | 'BACKUP_KEEP'
>;

/**
 * Backs up an installation while it runs: database, pictures and settings, as one archive with a note beside
 * it. A backup without its note is none. Then older ones than are to be kept are removed.
 * @param settings the variables that the installation was started with; without a key to seal them only their
 *   names are kept
 */
export async function backUp(
  env: BackupEnv,
  destination: Destination,
  settings: NodeJS.ProcessEnv,
): Promise<BackupNote> {
  const beganAt = new Date();
  const { BACKUP_KEY: secret } = env;
  const archive = archiveName(beganAt, secret !== undefined);
  const pack = openPack();
  const stages: Transform[] = [createZstdCompress(), ...(secret === undefined ? [] : [seal(secret)])];
  const out = new PassThrough();
  const [copied, , bytes] = await Promise.all([
    fill(pack, env, settings).catch((error: unknown) => {
      pack.destroy(error as Error);
      throw error;
    }),
    pipeline([pack as unknown as Readable, ...stages, out]),
    destination.write(archive, out),
  ]);
  const note: BackupNote = {
    ...copied,
    format: 1,
    archive,
    beganAt: beganAt.toISOString(),
    at: new Date().toISOString(),
    pictures: env.S3_URL === undefined ? 'included' : 'in a bucket',
    isSealed: secret !== undefined,
    bytes,
  };
  await destination.write(noteName(archive), Readable.from([Buffer.from(JSON.stringify(note, null, 2))]));
  await dropOld(env, destination);
  return note;
}

type Copied = Pick<BackupNote, 'release' | 'migration' | 'database' | 'postgres' | 'firstSegment' | 'files'>;

async function fill(pack: Pack, env: BackupEnv, settings: NodeJS.ProcessEnv): Promise<Copied> {
  const kept = Object.entries(settings).filter(([, value]) => value !== undefined && value !== '');
  const names = kept.map(([name]) => name);
  await addBytes(
    pack,
    'settings.json',
    JSON.stringify(env.BACKUP_KEY === undefined ? { names } : Object.fromEntries(kept), null, 2),
  );
  const database = await (env.DATABASE_URL === undefined
    ? addEmbedded(pack, env.DATA_DIR)
    : addGiven(pack, env.DATABASE_DIRECT_URL ?? env.DATABASE_URL));
  let { files } = database;
  const pictures = path.join(env.DATA_DIR, 'files');
  if (env.S3_URL === undefined)
    for (const name of await filesIn(pictures))
      files += await addFile(pack, path.join(pictures, name), `files/${name}`);
  pack.finalize();
  return { ...database, files };
}

/** Works on the embedded database, whether a server runs on it or not. */
async function addEmbedded(pack: Pack, dataFolder: string): Promise<Copied> {
  const home = placeDatabase(dataFolder);
  const postgres = await startEmbeddedPostgres(home);
  try {
    return await withClient(postgres.connection, async (client) => {
      const release = await releaseOf(client);
      const copied: CopiedDatabase = await addDatabaseFiles(pack, client, path.join(home, 'data'));
      const files = await addFile(pack, path.join(home, 'secret'), 'database-secret');
      const { rows } = await client.query<{ version: string }>('show server_version_num');
      const postgresMajor = Math.floor(z.coerce.number().parse(Object.values(rows[0]!)[0]) / 10_000);
      return {
        ...release,
        ...copied,
        database: 'files',
        postgres: postgresMajor,
        files: copied.files + files,
      };
    });
  } finally {
    if (!postgres.attached) await postgres.stop();
  }
}

const addGiven = (pack: Pack, url: string): Promise<Copied> =>
  withClient({ connectionString: url }, async (client) => ({
    ...(await releaseOf(client)),
    database: 'dump',
    files: await addDatabaseDump(pack, url),
  }));

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

/** Removes what is older than the latest `BACKUP_KEEP` backups, and the log that belongs to none of them. */
async function dropOld({ BACKUP_KEEP: keep }: BackupEnv, destination: Destination): Promise<void> {
  const all = await backupsAt(destination);
  const old = all.slice(0, Math.max(0, all.length - keep));
  for (const { archive } of old) {
    // The note first: an archive without one is no backup.
    await destination.remove(noteName(archive));
    await destination.remove(archive);
  }
  const first = all.slice(old.length).find(({ firstSegment }) => firstSegment !== undefined)?.firstSegment;
  if (first !== undefined) await dropOldLog(destination, first);
}
