import { spawn, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** The user a program runs as; empty for the one who runs this process. */
export interface Identity {
  uid?: number;
  gid?: number;
}

/** A folder that could hold the embedded database. */
export interface Candidate {
  folder: string;
  /** A database was made here before. */
  holdsData: boolean;
  /** The database's user can reach and write it. */
  serves: boolean;
}

const nobody = 65534;
/**
 * Where root keeps what other users must reach: the place for it, and one for systems whose root folder is
 * read-only.
 */
const rootsFolders = ['/var/lib/sameway', '/var/tmp/sameway'];
/** Where Linux keeps files in memory. */
const memoryFolder = '/dev/shm';

/** PostgreSQL refuses root, so under root it runs as `nobody`; otherwise as the user of this process. */
export const databaseIdentity = (): Identity =>
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/**
 * Chooses the folder of the database: one that holds data already, else the folder within the data folder,
 * else one apart from it. Null where nothing serves; a database that has become unreachable is never replaced
 * by an empty one.
 */
export function chooseDatabaseFolder(own: Candidate, apart: readonly Candidate[]): Candidate | null {
  const found = [own, ...apart].find(({ holdsData }) => holdsData);
  if (found !== undefined) return found.serves ? found : null;
  return [own, ...apart].find(({ serves }) => serves) ?? null;
}

/**
 * Makes the folder of the embedded database of `dataFolder` and returns it: `dataFolder/postgres`. Where this
 * process is root and the database's user cannot pass the folders above, it is one below /var/lib/sameway,
 * the same at every start.
 * @throws Error with one sentence for the person who starts the server, when no folder can serve.
 */
export function placeDatabase(dataFolder: string, systemFolders: readonly string[] = rootsFolders): string {
  const identity = databaseIdentity();
  // Folders that this process makes let the database's user pass; a folder that another user made private
  // stays so.
  makeForAll(dataFolder);
  const own = path.join(dataFolder, 'postgres');
  if (identity.uid === undefined) {
    makeOne(own, 0o700);
    return own;
  }
  refuseWithoutOtherUsers(identity);
  const place = candidate(own, identity);
  const apart = apartOf(dataFolder, systemFolders)
    .filter((folder) => holdsData(folder) || !(place.serves || place.holdsData))
    .map((folder) => candidate(folder, identity));
  const chosen = chooseDatabaseFolder(place, apart);
  if (chosen !== place && !place.holdsData) fs.rmdirSync(own);
  if (chosen !== null) return chosen.folder;
  const kept = [place, ...apart].find(({ holdsData }) => holdsData);
  if (kept === undefined)
    throw new Error(
      `The database cannot lie in ${own} nor in ${systemFolders.join(' or ')}: PostgreSQL refuses root, so it runs as user ${nobody}, who can reach none of them. Start as an ordinary user, or name a folder that all may enter: DATA_DIR=/srv/sameway npm start`,
    );
  const barrier = barrierOf(kept.folder, identity);
  throw new Error(
    `The database in ${kept.folder} cannot be reached: PostgreSQL refuses root, so it runs as user ${nobody}, who may not enter ${barrier}. Let it pass: chmod a+x '${barrier}'`,
  );
}

/** Whether there is an embedded database for this data folder, as `placeDatabase` finds it. Makes nothing. */
export function hasDatabase(dataFolder: string, systemFolders: readonly string[] = rootsFolders): boolean {
  if (!fs.existsSync(dataFolder)) return false;
  return [path.join(dataFolder, 'postgres'), ...apartOf(dataFolder, systemFolders)].some(holdsData);
}

/**
 * A new folder for throw-away data that the database's user can reach, wherever the temporary files of this
 * user lie. A guard process removes it, and ends the PostgreSQL in it, when this process ends without having
 * done so.
 * @param memoryBytes the most that the folder will hold: it lies in memory where that much is free. Making a
 *   database there takes a tenth of the time. Leave it out to measure with a disk.
 */
export function scratchFolder(prefix: string, memoryBytes = Infinity): string {
  const identity = databaseIdentity();
  const places = [os.tmpdir(), '/tmp', '/var/tmp'];
  if (hasRoomInMemory(memoryBytes)) places.unshift(memoryFolder);
  const parent = places.find((place) => fs.existsSync(place) && mayEnter(place, identity)) ?? os.tmpdir();
  const folder = fs.mkdtempSync(path.join(parent, prefix));
  if (identity.uid !== undefined) fs.chmodSync(folder, 0o755);
  const guard = spawn(process.execPath, [path.join(import.meta.dirname, 'scratch-guard.ts'), folder], {
    // Its own group: a signal from a terminal is not for it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  return folder;
}

/** Half of the memory that is free is left to the processes. */
function hasRoomInMemory(bytes: number): boolean {
  if (process.availableMemory() < 2 * bytes || !fs.existsSync(memoryFolder)) return false;
  const { bavail, bsize } = fs.statfsSync(memoryFolder);
  return bavail * bsize >= bytes;
}

/** The first of root's own folders that the given user can pass; null where there is none. */
export function systemFolder(identity: Identity): string | null {
  return rootsFolders.find((folder) => makeSystemFolder(folder, identity)) ?? null;
}

/**
 * Whether a user can pass through a folder, asked of the system itself: it knows access lists and odd file
 * systems.
 */
export function mayEnter(folder: string, identity: Identity): boolean {
  return asUser(identity, 'test -x "$1"', folder);
}

const holdsData = (folder: string): boolean => fs.existsSync(path.join(folder, 'data', 'PG_VERSION'));

/** The uses of a folder, found out by making it. */
const candidate = (folder: string, identity: Identity): Candidate => ({
  folder,
  holdsData: holdsData(folder),
  serves: canMakeFor(folder, identity),
});

/** Named after where the data lies, so that no two share one. */
function apartOf(dataFolder: string, systemFolders: readonly string[]): string[] {
  const hash = crypto.createHash('sha256').update(fs.realpathSync(dataFolder)).digest('hex').slice(0, 12);
  return systemFolders.map((parent) => path.join(parent, hash, 'postgres'));
}

function makeSystemFolder(folder: string, identity: Identity): boolean {
  try {
    makeForAll(folder);
    // In /var/tmp any user could have made it first.
    return fs.lstatSync(folder).isDirectory() && fs.statSync(folder).uid === 0 && mayEnter(folder, identity);
  } catch (error) {
    if (isRefusedBySystem(error)) return false;
    throw error;
  }
}

function canMakeFor(folder: string, identity: Identity): boolean {
  try {
    makeFor(folder, identity);
  } catch (error) {
    if (isRefusedBySystem(error)) return false;
    throw error;
  }
  return asUser(identity, 'test -r "$1" && test -w "$1" && test -x "$1"', folder);
}

/**
 * Makes a folder that a user alone may enter, in folders that all may pass; those that are there stay as they
 * are.
 */
function makeFor(folder: string, { uid, gid }: Identity): void {
  makeForAll(path.dirname(folder));
  makeOne(folder, 0o700);
  if (uid !== undefined && gid !== undefined) fs.chownSync(folder, uid, gid);
}

function makeForAll(folder: string): void {
  const missing: string[] = [];
  for (let each = folder; !fs.existsSync(each); each = path.dirname(each)) missing.unshift(each);
  for (const each of missing) makeOne(each, 0o755);
}

/**
 * One at a time: of several at once Node says that something does not exist where the file system is
 * read-only.
 */
function makeOne(folder: string, mode: number): void {
  try {
    fs.mkdirSync(folder);
    fs.chmodSync(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !fs.statSync(folder).isDirectory()) throw error;
  }
}

/** The outermost folder above that the user may not enter. */
function barrierOf(folder: string, identity: Identity): string {
  const above: string[] = [];
  for (let each = fs.realpathSync(folder); each !== path.dirname(each); each = path.dirname(each))
    above.unshift(each);
  return above.find((each) => !mayEnter(each, identity)) ?? folder;
}

function refuseWithoutOtherUsers(identity: Identity): void {
  if (asUser(identity, 'true', '')) return;
  throw new Error(
    `PostgreSQL refuses root, and this process may not start it as another user (${nobody}). Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.`,
  );
}

function asUser(identity: Identity, script: string, argument: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', script, 'sh', argument], { ...identity, cwd: '/', stdio: 'ignore' })
      .status === 0
  );
}

/**
 * Access, read-only file systems and file systems without owners: another folder may serve. A full disk is no
 * such thing.
 */
function isRefusedBySystem(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'ENOSYS', 'ENOTSUP', 'EINVAL'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}
