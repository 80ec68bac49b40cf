import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { Client } from 'pg';
import { extract as openExtract } from 'tar-stream';
import { hourMs } from '../clock.ts';
import { databaseIdentity, placeDatabase } from '../database/database-folder.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { knownMigrations } from '../database/migrate.ts';
import type { Env } from '../env.ts';
import { filesFolder } from '../storage/files.ts';
import { backupsAt, descriptionInside, descriptionName, type BackupNote } from './backup-notes.ts';
import { dumpName, restoreDump } from './database-dump.ts';
import type { Destination } from './destination.ts';
import { fetchLog, notSealed, type LogKey } from './log-archive.ts';
import { unseal } from './sealed.ts';

/** Applying the log of several weeks takes hours. */
const longestRecoveryMs = 12 * hourMs;

type RestoreEnv = Pick<
  Env,
  'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_MIGRATION_URL' | 'DATA_DIR' | 'BACKUP_KEY'
>;

export interface RestoreOptions {
  /** Restores the state as of this moment; by default, the latest. */
  at?: Date | undefined;
  /** The data folder of the lost embedded database, if it can still be read: it has the newest log. */
  restOf?: string | undefined;
  /**
   * With a key, also takes what the key does not authenticate: archives and pieces of the log that are not
   * encrypted. The operator answers for them.
   */
  takesUnsealed?: boolean | undefined;
  say: (sentence: string) => void;
}

export interface Restored {
  note: BackupNote;
  /** Segments of the log that were applied after the backup. */
  pieces: number;
  /** For the embedded database: when its last change was committed; null if the log does not say. */
  lastChangeAt: Date | null;
}

/**
 * Restores a backup into an empty `DATA_DIR` and into the database that `DATABASE_URL` names. It first reads
 * and checks everything in a temporary folder; a restore that fails leaves the installation empty.
 * @throws Error with a sentence if the installation is not empty, if no backup is old enough, if this release
 * does not know the backup's schema, or if the key does not authenticate the backup as what its description
 * says
 */
export async function restore(
  env: RestoreEnv,
  destination: Destination,
  { at, restOf, takesUnsealed = false, say }: RestoreOptions,
): Promise<Restored> {
  const note = await chosenBackup(destination, at);
  if (!knownMigrations().includes(note.migration))
    throw new Error(
      `${note.archive} was made by Sameway ${note.release} (${note.migration}), which is newer than this release. Restore it with that one or a newer one.`,
    );
  if (note.isSealed && env.BACKUP_KEY === undefined)
    throw new Error(`${note.archive} is encrypted: BACKUP_KEY is needed.`);
  const mustBeSealed = env.BACKUP_KEY !== undefined && !takesUnsealed;
  if (mustBeSealed && !note.isSealed) throw notSealed(note.archive, destination);
  const isFiles = note.database === 'files';
  if (isFiles !== (env.DATABASE_URL === undefined))
    throw new Error(
      isFiles
        ? `${note.archive} contains an embedded database: restore it without DATABASE_URL.`
        : `${note.archive} contains a dump of an external database: set DATABASE_URL to an empty one.`,
    );
  if (!isFiles && at !== undefined && Date.parse(note.at) !== at.getTime())
    say(
      `A dump has the state of one moment, ${note.beganAt}. For later moments you need the log of your PostgreSQL server.`,
    );
  const pictures = filesFolder(env.DATA_DIR);
  refuseUnlessEmpty(pictures);
  const home = isFiles ? placeDatabase(env.DATA_DIR) : null;
  if (home !== null) refuseUnlessEmpty(path.join(home, 'data'));
  const url = env.DATABASE_MIGRATION_URL ?? env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  if (url !== undefined) await refuseUnlessNew(url);

  const draft = path.join(home ?? env.DATA_DIR, 'restoring');
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    say(`Reading ${note.archive} from ${note.at} …`);
    await unpack(await destination.read(note.archive), draft, note, env.BACKUP_KEY);
    refuseOther(draft, note);
    const done =
      home === null
        ? null
        : await recover({
            home,
            draft,
            note,
            destination,
            key: { secret: env.BACKUP_KEY, mustBeSealed },
            at,
            restOf,
            say,
          });
    if (url !== undefined) await restoreDump(path.join(draft, dumpName), url);
    if (fs.existsSync(path.join(draft, 'files')))
      fs.cpSync(path.join(draft, 'files'), pictures, { recursive: true });
    return { note, pieces: done?.pieces ?? 0, lastChangeAt: done?.lastChangeAt ?? null };
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** The latest backup that was complete at this moment. */
async function chosenBackup(destination: Destination, at: Date | undefined): Promise<BackupNote> {
  const all = await backupsAt(destination);
  if (all.length === 0) throw new Error(`There is no backup in ${destination.title}.`);
  const chosen = all.findLast((note) => at === undefined || Date.parse(note.at) <= at.getTime());
  if (chosen === undefined)
    throw new Error(`The oldest backup in ${destination.title} is from ${all[0]!.at}.`);
  return chosen;
}

function refuseUnlessEmpty(folder: string): void {
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0)
    throw new Error(
      `${folder} is not empty. Restore into an empty folder: set another DATA_DIR, or move the old one away.`,
    );
}

async function refuseUnlessNew(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select from pg_class where relkind in ('r', 'p') and relnamespace = to_regnamespace('public') limit 1`,
    );
    if (rows.length > 0)
      throw new Error('The database in DATABASE_URL is not empty. Restore into a new one.');
  } finally {
    await client.end();
  }
}

/** Unpacks an archive into a folder. If it does not throw, the archive was complete and unchanged. */
async function unpack(
  from: NodeJS.ReadableStream,
  into: string,
  note: BackupNote,
  secret: string | undefined,
): Promise<void> {
  const extract = openExtract();
  const stages = [...(note.isSealed ? [unseal(secret!)] : []), createZstdDecompress()];
  const piped = pipeline([from, ...stages, extract]);
  let files = 0;
  const read = (async () => {
    for await (const entry of extract) {
      const { header } = entry;
      const file = path.join(into, header.name);
      if (!file.startsWith(`${into}${path.sep}`))
        throw new Error(`The archive names a file outside of it: ${header.name}`);
      if (header.type === 'directory') fs.mkdirSync(file, { recursive: true, mode: 0o700 });
      else {
        fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        await pipeline(entry, fs.createWriteStream(file, { mode: 0o600 }));
        files++;
      }
      entry.resume();
    }
  })();
  await Promise.all([piped, read]);
  if (files < note.files) throw new Error(`${note.archive} contains ${files} of ${note.files} files.`);
}

/**
 * Compares the description inside the unpacked archive with the file by which the archive was chosen. An
 * older archive under a newer name differs.
 */
function refuseOther(draft: string, note: BackupNote): void {
  const file = path.join(draft, descriptionName);
  if (!fs.existsSync(file))
    throw new Error(`${note.archive} contains no description: no backup of Sameway lacks one.`);
  const inside = descriptionInside.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  if (!isDeepStrictEqual(inside, descriptionInside.parse(note)))
    throw new Error(
      `${note.archive} is not what its description says: it is ${inside.archive} from ${inside.at}. The description or the archive was replaced.`,
    );
}

interface Recovery {
  home: string;
  draft: string;
  note: BackupNote;
  destination: Destination;
  key: LogKey;
  at: Date | undefined;
  restOf: string | undefined;
  say: (sentence: string) => void;
}

/** Puts the database's files in place and lets PostgreSQL apply the log to them. */
async function recover({ home, draft, note, destination, key, at, restOf, say }: Recovery) {
  const log = path.join(draft, 'log');
  fs.mkdirSync(log, { mode: 0o700 });
  let pieces = await fetchLog(destination, { from: note.firstSegment ?? '', into: log, key });
  if (restOf !== undefined) pieces += copyRest(placeDatabase(restOf), log);
  const data = path.join(home, 'data');
  fs.renameSync(path.join(draft, 'database'), data);
  fs.copyFileSync(path.join(draft, 'database-secret'), path.join(home, 'secret'));
  const isPast = pieces > 0 || at !== undefined;
  if (isPast) fs.writeFileSync(path.join(data, 'recovery.signal'), '');
  giveToDatabase(home);
  say(isPast ? `Applying ${pieces} segments of the log …` : 'Making the files consistent …');
  try {
    const settings = recoverySettings(log, isPast, at);
    const postgres = await startEmbeddedPostgres(home, settings, longestRecoveryMs);
    const client = new Client(postgres.connection);
    try {
      await client.connect();
      const { rows } = await client.query<{ at: Date | null }>(
        'select pg_last_xact_replay_timestamp() as at',
      );
      return { pieces, lastChangeAt: rows[0]!.at };
    } finally {
      await client.end();
      await postgres.stop();
    }
  } catch (error) {
    const text = fs.readFileSync(path.join(home, 'postgres.log'), 'utf8');
    for (const left of ['data', 'secret', 'postgres.log'])
      fs.rmSync(path.join(home, left), { recursive: true, force: true });
    if (/recovery ended before configured recovery target was reached/.test(text))
      throw new Error('The log ends before that moment. Leave out --at to restore the latest state.', {
        cause: error,
      });
    throw error;
  }
}

/**
 * With these settings PostgreSQL accepts no connection before it reaches the end of the log, or the moment.
 */
const recoverySettings = (log: string, isPast: boolean, at: Date | undefined): Record<string, string> => ({
  hot_standby: 'off',
  restore_command: isPast ? `cp "${log}/%f" "%p"` : '',
  ...(at !== undefined && {
    recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00'),
    recovery_target_action: 'promote',
  }),
});

/** Copies the newest log of a lost database, beyond what was archived. @returns how many segments */
function copyRest(oldHome: string, into: string): number {
  const folder = path.join(oldHome, 'data', 'pg_wal');
  const names = fs
    .readdirSync(folder)
    .filter((name) => /^[\dA-F]{24}$/.test(name) && !fs.existsSync(path.join(into, name)));
  for (const name of names) fs.copyFileSync(path.join(folder, name), path.join(into, name));
  return names.length;
}

/** Under root the database runs as another user. */
function giveToDatabase(home: string): void {
  const { uid, gid } = databaseIdentity();
  if (uid === undefined || gid === undefined) return;
  fs.chownSync(home, uid, gid);
  for (const name of fs.readdirSync(home, { recursive: true }) as string[])
    fs.lchownSync(path.join(home, name), uid, gid);
}
