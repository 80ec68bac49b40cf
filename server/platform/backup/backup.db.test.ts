import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { Client } from 'pg';
import { pino } from 'pino';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourMs, minuteMs, MovableClock, secondMs } from '../clock.ts';
import { databaseOf } from '../database/db.ts';
import { readEnv, type Env } from '../env.ts';
import { noMetrics, type GaugeSource, type Reading } from '../observability/metrics.ts';
import { placeDatabase, scratchFolder } from '../database/database-folder.ts';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { openDatabase, type OpenDatabase } from '../database/open-database.ts';
import { openInstalledPostgres } from '../../testing/installed-postgres.ts';
import { backUp } from './backup.ts';
import { backupsAt, noteName, type BackupNote } from './backup-notes.ts';
import { readBackupState } from './backup-state.ts';
import { openDestination, type Destination } from './destination.ts';
import { shipLog } from './log-archive.ts';
import { restore } from './restore.ts';
import { scheduleBackups } from './schedule.ts';

const megabyte = 1024 ** 2;
const folders: string[] = [];
const newFolder = (): string => {
  const folder = scratchFolder('sameway-backup-', 512 * megabyte);
  folders.push(folder);
  return folder;
};
const [living, kept] = [newFolder(), newFolder()];
const envOf = (folder: string, more: Record<string, string> = {}) =>
  readEnv({
    DATA_DIR: folder,
    REGION: '',
    BACKUP_TO: kept,
    BACKUP_KEY: 'the key of this test',
    BACKUP_KEEP: '2',
    BACKUP_LOG_SECONDS: '5',
    ...more,
  });
const destination = openDestination(kept, envOf(living));
const settings = { SMTP_URL: 'smtp://user:secret@mail.example.com' };
const said: string[] = [];
const say = (sentence: string) => void said.push(sentence);

let database: OpenDatabase;
const open = (folder: string) => openDatabase(envOf(folder), { onError: () => undefined });
const add = (text: string) =>
  database.pool.query(`insert into settings (name, value) values ($1, '1')`, [`test.${text}`]);
/** The names in a restored installation. */
async function namesIn(folder: string): Promise<string[]> {
  const restored = await open(folder);
  try {
    const { rows } = await restored.pool.query<{ name: string }>(
      `select name from settings where name like 'test.%' order by name`,
    );
    return rows.map(({ name }) => name.slice(5));
  } finally {
    await restored.close();
  }
}
/** Makes PostgreSQL switch its log, and archives it. */
async function carryLog(): Promise<void> {
  const home = placeDatabase(living);
  const client = new Client((await startEmbeddedPostgres(home)).connection);
  await client.connect();
  const { rows } = await client.query<{ segment: string }>(
    'select pg_walfile_name(pg_switch_wal()) as segment',
  );
  await client.end();
  await expect
    .poll(
      async () => {
        await shipLog(home, destination, envOf(living));
        return destination.list(`log/${rows[0]!.segment}`);
      },
      { timeout: 60_000 },
    )
    .toHaveLength(1);
}

/** A moment that is milliseconds away from the changes before and after it. */
async function momentBetweenChanges(): Promise<Date> {
  await database.pool.query('select pg_sleep(0.02)');
  const { rows } = await database.pool.query<{ at: Date }>('select clock_timestamp() as at');
  await database.pool.query('select pg_sleep(0.02)');
  return rows[0]!.at;
}

beforeAll(async () => {
  database = await open(living);
  fs.mkdirSync(path.join(living, 'files', 'public'), { recursive: true });
  fs.writeFileSync(path.join(living, 'files', 'public', 'a.webp'), 'a picture');
});
afterAll(async () => {
  await database.close();
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

test('a running installation is backed up and restored, as of the end or of a moment', async () => {
  await add('before');
  const note = await backUp(envOf(living), destination, settings);
  expect(note).toMatchObject({ database: 'files', pictures: 'included', isSealed: true });
  expect(fs.readFileSync(path.join(kept, note.archive)).includes('smtp://')).toBe(false);
  await add('after');
  const at = await momentBetweenChanges();
  await add('later');
  await carryLog();

  const latest = newFolder();
  const end = await restore(envOf(latest), destination, { say });
  expect(await namesIn(latest)).toEqual(['after', 'before', 'later']);
  expect(end.lastChangeAt!.getTime()).toBeGreaterThan(at.getTime());
  expect(fs.readFileSync(path.join(latest, 'files', 'public', 'a.webp'), 'utf8')).toBe('a picture');

  const past = newFolder();
  await restore(envOf(past), destination, { at, say });
  expect(await namesIn(past)).toEqual(['after', 'before']);

  // The log that was not archived is in the lost folder.
  await add('last');
  const whole = newFolder();
  await restore(envOf(whole), destination, { restOf: living, say });
  expect(await namesIn(whole)).toEqual(['after', 'before', 'last', 'later']);
});

test('a restore is refused over an existing installation, without the key, before the first backup, and by an older release', async () => {
  await expect(restore(envOf(living), destination, { say })).rejects.toThrow(`${living}/files is not empty`);
  const empty = newFolder();
  await expect(restore(envOf(empty, { BACKUP_KEY: '' }), destination, { say })).rejects.toThrow(
    'BACKUP_KEY is needed',
  );
  await expect(
    restore(envOf(empty, { BACKUP_KEY: 'another key, just as long' }), destination, { say }),
  ).rejects.toThrow('The key is another one');
  const early = { at: new Date('2020-01-01T00:00:00Z'), say };
  await expect(restore(envOf(empty), destination, early)).rejects.toThrow('The oldest backup');
  const tooLate = { at: new Date(Date.now() + 3_600_000), say };
  await expect(restore(envOf(empty), destination, tooLate)).rejects.toThrow(
    'The log ends before that moment',
  );
  const [note] = await backupsAt(destination);
  const file = path.join(kept, noteName(note!.archive));
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, JSON.stringify({ ...note, release: '99.0.0', migration: '9999_of-tomorrow' }));
  await expect(restore(envOf(empty), destination, { say })).rejects.toThrow(
    'Sameway 99.0.0 (9999_of-tomorrow), which is newer',
  );
  fs.writeFileSync(file, text);
  // Failed restores leave nothing behind.
  await restore(envOf(empty), destination, { say });
  expect(await namesIn(empty)).toContain('before');
});

test('with a key, only what it encrypted under its own name and moment is restored, unless the operator says otherwise', async () => {
  const env = envOf(living, { BACKUP_TO: newFolder() });
  const place = openDestination(env.BACKUP_TO!, env);
  const fileOf = (name: string) => path.join(env.BACKUP_TO!, name);
  const write = (note: BackupNote) => fs.writeFileSync(fileOf(noteName(note.archive)), JSON.stringify(note));
  await add('trusted');
  const older = await backUp(env, place, settings);
  const newer = await backUp(env, place, settings);
  const into = () => envOf(newFolder());

  // The older archive under the newer name: a step back in time that the description would hide.
  fs.copyFileSync(fileOf(newer.archive), fileOf('kept'));
  fs.copyFileSync(fileOf(older.archive), fileOf(newer.archive));
  await expect(restore(into(), place, { say })).rejects.toThrow(
    `${newer.archive} is not what its description says: it is ${older.archive} from ${older.at}`,
  );
  await expect(restore(into(), place, { say, takesUnsealed: true })).rejects.toThrow('is not what');
  fs.renameSync(fileOf('kept'), fileOf(newer.archive));

  // Its own archive under another moment, or with another beginning of the log.
  write({ ...newer, at: new Date(Date.parse(newer.at) + hourMs).toISOString() });
  await expect(restore(into(), place, { say })).rejects.toThrow('is not what its description says');
  write({ ...newer, firstSegment: 'F'.repeat(24) });
  await expect(restore(into(), place, { say })).rejects.toThrow('is not what its description says');
  write(newer);

  // A piece of the log that was not encrypted; it is later than all others.
  fs.mkdirSync(fileOf('log'), { recursive: true });
  fs.writeFileSync(fileOf(`log/${'F'.repeat(24)}.zst`), zstdCompressSync('no log'));
  await expect(restore(into(), place, { say })).rejects.toThrow(
    `${'F'.repeat(24)}.zst is not encrypted, although BACKUP_KEY is set`,
  );
  fs.rmSync(fileOf('log'), { recursive: true });

  // The unencrypted backup of another installation replaces all of them.
  for (const { archive } of [older, newer]) fs.rmSync(fileOf(noteName(archive)));
  const foreign = await backUp({ ...env, BACKUP_KEY: undefined }, place, settings);
  await expect(restore(into(), place, { say })).rejects.toThrow(
    `${foreign.archive} is not encrypted, although BACKUP_KEY is set`,
  );
  const asked = into();
  await restore(asked, place, { say, takesUnsealed: true });
  expect(await namesIn(asked.DATA_DIR)).toContain('trusted');
});

test('a backup whose destination fails leaves nothing behind, there or in the database', async () => {
  const before = await destination.list('');
  const full: Destination = {
    ...destination,
    async write(name, from) {
      let bytes = 0;
      async function* untilFull() {
        for await (const chunk of from as AsyncIterable<Buffer>) {
          if ((bytes += chunk.length) > 100_000) throw new Error('no space left on device');
          yield chunk;
        }
      }
      return destination.write(name, Readable.from(untilFull()));
    },
  };
  await expect(backUp(envOf(living), full, settings)).rejects.toThrow('no space left on device');
  expect(await destination.list('')).toEqual(before);
  // No replication slot remains for an aborted copy.
  const slots = async () => (await database.pool.query('select from pg_replication_slots')).rowCount;
  await expect.poll(slots, { timeout: 20_000 }).toBe(0);
});

test('the configured number of backups is kept, with the log that belongs to them', async () => {
  const [first] = await backupsAt(destination);
  await backUp(envOf(living), destination, settings);
  await carryLog();
  const last = await backUp(envOf(living), destination, settings);
  const all = await backupsAt(destination);
  expect(all).toHaveLength(2);
  expect(all.at(-1)).toEqual(last);
  expect(fs.existsSync(path.join(kept, first!.archive))).toBe(false);
  for (const name of await destination.list('log/'))
    expect(path.basename(name).slice(0, 24) >= all[0]!.firstSegment!).toBe(true);
});

/** The scheduled backups of a process that has just started, with what it says. */
function startProcess(env: Env, machine: MovableClock) {
  const gauges = new Map<string, GaugeSource['read']>();
  const metrics = {
    ...noMetrics,
    addGauge: ({ name, read }: GaugeSource) => void gauges.set(name, read),
  };
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const [backup] = scheduleBackups({ env, db: databaseOf(database.pool), log, metrics }, machine);
  const figure = async (name: string) => ((await gauges.get(name)!()) as Reading[])[0]?.value;
  return {
    run: () => backup!.run(),
    age: () => figure('sameway_backup_age_seconds'),
    failures: () => figure('sameway_backup_failures'),
    lines,
  };
}

const forgetBackups = () => database.pool.query(`delete from settings where name = 'backups'`);

test('a backup is made when the last is old enough, and not earlier; a failed one is tried again', async () => {
  await forgetBackups();
  const env = envOf(living, { BACKUP_TO: newFolder(), BACKUP_EVERY_HOURS: '6' });
  const place = openDestination(env.BACKUP_TO!, env);
  const machine = new MovableClock();
  const { run, age, failures } = startProcess(env, machine);
  const count = async () => (await backupsAt(place)).length;

  // Nothing is known before the first round; then the first backup is due at once.
  expect(await age()).toBeUndefined();
  await run();
  expect(await count()).toBe(1);
  const madeAt = Date.parse((await backupsAt(place))[0]!.at);

  machine.moveTo(new Date(madeAt + 6 * hourMs - minuteMs));
  await run();
  expect(await count()).toBe(1);
  expect(await age()).toBeCloseTo((6 * hourMs - minuteMs) / secondMs, -1);

  // One made by hand counts, too, also for a process that makes none.
  await backUp(env, place, settings);
  const [, byHand] = await backupsAt(place);
  machine.moveTo(new Date(madeAt + 6 * hourMs));
  const without = startProcess(envOf(living, { BACKUP_TO: '' }), machine);
  expect(await without.age()).toBeCloseTo((machine.now().getTime() - Date.parse(byHand!.at)) / secondMs, 1);
  await run();
  expect(await count()).toBe(2);

  // Due, but the database's secret cannot be read: the round fails, and one a while later makes it.
  machine.moveTo(new Date(Date.parse(byHand!.at) + 6 * hourMs));
  const secret = path.join(placeDatabase(living), 'secret');
  fs.renameSync(secret, `${secret}.away`);
  await expect(run()).rejects.toThrow();
  fs.renameSync(`${secret}.away`, secret);
  await run();
  expect((await backupsAt(place)).at(-1)).toEqual(byHand);
  expect(await failures()).toBe(1);
  machine.advance(15 * minuteMs);
  await run();
  expect((await backupsAt(place)).at(-1)).not.toEqual(byHand);
  expect(await failures()).toBe(0);
});

/** A disk of 512 kB. @returns false if this user cannot mount one, which it says */
function mountSmallDisk(folder: string): boolean {
  const { status, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
  if (status === 0 && error === undefined) return true;
  process.stderr.write('A small disk cannot be mounted (root can): backups to a full disk are not tested.\n');
  return false;
}

test('a full disk ends no process: the failure is told, nothing is left, and the next try comes later, also after a restart', async (context) => {
  await forgetBackups();
  const env = envOf(living, { BACKUP_TO: newFolder() });
  if (!mountSmallDisk(env.BACKUP_TO!)) return context.skip();
  const unmount = () => void spawnSync('umount', [env.BACKUP_TO!]);
  try {
    const place = openDestination(env.BACKUP_TO!, env);
    const machine = new MovableClock();
    const first = startProcess(env, machine);
    const beganMs = machine.now().getTime();
    await expect(first.run()).rejects.toThrow('ENOSPC: no space left on device');
    expect(fs.readdirSync(env.BACKUP_TO!)).toEqual([]);
    expect(first.lines.join('')).toMatch(/"triesAgainAt":"[^"]+","msg":"a backup failed"/);
    expect((await readBackupState(databaseOf(database.pool)))?.failure?.reason).toContain('ENOSPC');

    // A restart begins no other one at once, and the age goes on from before it.
    machine.moveTo(new Date(beganMs + 10 * minuteMs));
    const second = startProcess(env, machine);
    await second.run();
    expect(await second.failures()).toBe(1);
    expect(await second.age()).toBeCloseTo(600, -1);
    machine.moveTo(new Date(beganMs + 16 * minuteMs));
    await expect(second.run()).rejects.toThrow('ENOSPC');
    expect(await second.failures()).toBe(2);
    machine.advance(29 * minuteMs);
    await second.run();
    expect(await second.failures()).toBe(2);

    // The disk has room again. What a killed process had begun is removed; what another one writes is not.
    unmount();
    for (const name of ['killed.part', 'other.part']) fs.writeFileSync(path.join(env.BACKUP_TO!, name), 'x');
    const longAgo = new Date(Date.now() - 7 * hourMs);
    fs.utimesSync(path.join(env.BACKUP_TO!, 'killed.part'), longAgo, longAgo);
    machine.advance(2 * minuteMs);
    await second.run();
    expect(await second.failures()).toBe(0);
    const [note] = await backupsAt(place);
    const names = [note!.archive, noteName(note!.archive), 'other.part'];
    expect(fs.readdirSync(env.BACKUP_TO!).toSorted()).toEqual(names.toSorted());
  } finally {
    unmount();
  }
});

test('a bucket works as a destination, with and without a key', async () => {
  const store = newFolder();
  const bucket = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: store,
    configureBuckets: [{ name: 'backups' }],
  });
  const { port } = await bucket.run();
  try {
    const s3 = {
      S3_URL: `http://127.0.0.1:${port}/pictures`,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    };
    await add('for the bucket');
    const env = envOf(living, { ...s3, BACKUP_KEY: '' });
    const place = openDestination('s3://backups/town', env);
    const note = await backUp(env, place, settings);
    expect(note).toMatchObject({ pictures: 'in a bucket', isSealed: false });
    expect(await backupsAt(place)).toEqual([note]);
    const folder = newFolder();
    await restore({ ...env, DATA_DIR: folder }, place, { say });
    expect(await namesIn(folder)).toContain('for the bucket');
    await expect(place.read('backup-0.tar.zst')).rejects.toThrow('answered 404');
  } finally {
    await bucket.close();
  }
});

test('an external database is dumped, and restored only into an empty one', async (context) => {
  const server = await openInstalledPostgres();
  if (server === null) return context.skip();
  try {
    const env = envOf(newFolder(), { DATABASE_URL: await server.create('first') });
    const other = { ...env, DATA_DIR: newFolder(), DATABASE_URL: await server.create('second') };
    const place = openDestination(newFolder(), env);
    const first = await openDatabase(env, { onError: () => undefined });
    await first.pool.query(`insert into settings (name, value) values ('test.dumped', '1')`);
    const note = await backUp(env, place, settings);
    await first.close();
    expect(note).toMatchObject({ database: 'dump', isSealed: true });
    await expect(restore(envOf(newFolder()), place, { say })).rejects.toThrow(
      'set DATABASE_URL to an empty one',
    );

    await restore(other, place, { say });
    const second = await openDatabase(other, { onError: () => undefined });
    const { rows } = await second.pool.query(`select name from settings where name like 'test.%'`);
    await second.close();
    expect(rows).toEqual([{ name: 'test.dumped' }]);
    await expect(restore(other, place, { say })).rejects.toThrow('is not empty');
  } finally {
    await server.stop();
  }
});
