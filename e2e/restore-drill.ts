import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp, type BuiltApp } from '../server/app.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { backupsAt } from '../server/platform/backup/backup-notes.ts';
import { openDestination } from '../server/platform/backup/destination.ts';
import { restore } from '../server/platform/backup/restore.ts';
import { MovableClock, secondMs } from '../server/platform/clock.ts';
import { placeDatabase } from '../server/platform/database/database-folder.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { readEnv } from '../server/platform/env.ts';
import { compareLines, keptLines, type SaidLines } from '../server/testing/acknowledged/lines.ts';
import { wrongSeats } from '../server/testing/acknowledged/seats.ts';
import { randomFrom } from '../server/testing/random.ts';
import { BusyRun, letsPeopleDown, settle } from './kills.ts';
import { newDataFolder, startServer } from './server.ts';

/** The results of destroying an installation during a busy run and restoring it. */
export interface DrillFigures {
  /** Actions that succeeded before everything was killed. */
  acknowledged: number;
  /** The size of the archive, and how long the backup took during the run. */
  backupBytes: number;
  backupSeconds: number;
  /** The size of the write-ahead log that was copied in addition to it. */
  logBytes: number;
  restoreSeconds: number;
  /**
   * Successful actions that are missing after the restore; actions that happened twice; differences in the
   * ledger.
   */
  lost: number;
  doubled: number;
  ledgerDifferences: number;
  /** Stops where the seats taken differ from those of the bookings, after each restore and at the end. */
  wrongSeats: number;
  /** Chat lines that were acknowledged before everything was killed, and what became of them. */
  lines: number;
  linesLost: number;
  linesDoubled: number;
  linesReordered: number;
  /**
   * After a restore to a moment: how long before it the last change was, and how many changes are later than
   * it.
   */
  pointInTimeSeconds: number;
  laterThanPoint: number;
  /**
   * After a restore from the backups alone, without the lost disk: how long before the end the last change
   * was, and how many acknowledged chat lines are missing.
   */
  withoutDiskSeconds: number;
  withoutDiskLinesLost: number;
}

const log = pino({ level: 'silent' });
const answersBefore = 60;
const answersAfter = 40;
const waitsAtMostMs = 300_000;

/**
 * Runs an installation that makes backups and archives its log while people do paid rides; kills server and
 * database with -9, as a power failure would; restores the installation with what its disk still holds, once
 * from the backups alone, and once to a moment in between; and compares.
 */
export async function drillRestore(seed = 1): Promise<DrillFigures> {
  const folders: ReturnType<typeof newDataFolder>[] = [];
  const newFolder = (): string => {
    folders.push(newDataFolder());
    return folders.at(-1)!.folder;
  };
  const settings = {
    BACKUP_TO: newFolder(),
    BACKUP_KEY: 'a secret of the drill',
    BACKUP_LOG_SECONDS: '5',
    ...letsPeopleDown,
  };
  try {
    const { first, run, pairs, point, env } = await beBusyUntilTheEnd(newFolder(), { settings, seed });
    const endedAt = new Date();
    const said = run.saidLines();
    // The restored installation backs itself up as well.
    const backups = newFolder();
    fs.cpSync(settings.BACKUP_TO, backups, { recursive: true });
    const destination = openDestination(backups, env);

    const beganMs = performance.now();
    const freshEnv = { ...env, DATA_DIR: newFolder() };
    const { note } = await restore(freshEnv, destination, { restOf: env.DATA_DIR, say });
    const restoreSeconds = (performance.now() - beganMs) / secondMs;
    const restored = await open(freshEnv);
    const atOnce = await compare(restored.app, said);
    run.moveTo(restored.app);
    // Until now, searches were waiting for the killed database.
    await first.close();
    // People continue at the restored installation.
    const next = await startServer(freshEnv.DATA_DIR, { DEMO: '0', ...settings });
    run.isOver = true;
    run.open(next);
    await Promise.all(pairs);
    await next.stop();
    const figures = {
      ledgerDifferences: await settle(restored.app, log),
      acknowledged: run.acknowledged.length,
      lost: await run.countLost(),
      doubled: await run.countDoubled(),
    };
    const seatsInTheEnd = await wrongSeats(restored.app.pool, { isHeard: true });
    await restored.close();
    const withoutDisk = await restoreAndCompare({ ...env, DATA_DIR: newFolder() }, { destination, said });
    const past = await restoreAndCompare({ ...env, DATA_DIR: newFolder() }, { destination, said, at: point });
    return {
      ...figures,
      ...atOnce.lines,
      wrongSeats: [...atOnce.seats, ...withoutDisk.seats, ...past.seats, ...seatsInTheEnd].length,
      backupBytes: note.bytes,
      backupSeconds: (Date.parse(note.at) - Date.parse(note.beganAt)) / secondMs,
      logBytes: bytesIn(`${backups}/log`),
      restoreSeconds,
      pointInTimeSeconds: past.secondsBefore(point),
      laterThanPoint: past.later,
      withoutDiskSeconds: withoutDisk.secondsBefore(endedAt),
      withoutDiskLinesLost: withoutDisk.lines.linesLost,
    };
  } finally {
    for (const each of folders) each.remove();
  }
}

const say = () => undefined;

/**
 * Runs the installation until it has a backup and the log of a later moment, and kills it while it is busy.
 */
async function beBusyUntilTheEnd(
  folder: string,
  { settings, seed }: { settings: Record<string, string> & { BACKUP_TO: string }; seed: number },
) {
  const test = { NODE_ENV: 'test', LOG_LEVEL: 'silent', REGION: 'santa-cruz' };
  const env = readEnv({ ...test, DATA_DIR: folder, ...settings });
  const destination = openDestination(settings.BACKUP_TO, env);
  const first = await open(env);
  const run = new BusyRun(first.app, first.app.pool, randomFrom(seed));
  const pairs = await run.begin();
  const server = await startServer(folder, { DEMO: '0', ...settings });
  run.open(server);
  await until(
    async () => (await backupsAt(destination)).length > 0 && run.acknowledged.length >= answersBefore,
  );
  const point = new Date();
  const answersAtPoint = run.acknowledged.length;
  await until(async () => run.acknowledged.length >= answersAtPoint + answersAfter);
  // The log that covers the time after the moment has been archived.
  const { rows } = await first.app.pool.query<{ segment: string }>(
    'select pg_walfile_name(pg_current_wal_lsn()) as segment',
  );
  await until(async () => (await destination.list(`log/${rows[0]!.segment}`)).length > 0);
  await run.untilRandomMoment();
  run.shut();
  await server.kill();
  const postmaster = fs.readFileSync(`${placeDatabase(folder)}/data/postmaster.pid`, 'utf8').split('\n')[0];
  process.kill(Number(postmaster), 'SIGKILL');
  return { first, run, pairs, point, env };
}

/** Restores from the backups alone, and compares. */
async function restoreAndCompare(
  env: ReturnType<typeof readEnv>,
  {
    destination,
    said,
    at,
  }: { destination: ReturnType<typeof openDestination>; said: readonly SaidLines[]; at?: Date },
) {
  const { lastChangeAt } = await restore(env, destination, { at, say });
  const there = await open(env);
  const { rows } = await there.app.pool.query<{ later: number }>(
    'select count(*)::int as later from move_history where at > $1',
    [at ?? new Date()],
  );
  const compared = await compare(there.app, said);
  await there.close();
  return {
    ...compared,
    later: rows[0]!.later,
    secondsBefore: (moment: Date) =>
      lastChangeAt === null ? Infinity : (moment.getTime() - lastChangeAt.getTime()) / secondMs,
  };
}

/** Opens the whole server on a database, without a port, to inspect it. */
async function open(
  env: ReturnType<typeof readEnv>,
): Promise<{ app: BuiltApp & { clock: MovableClock }; close(): Promise<void> }> {
  const database = await openDatabase(env, { onError: () => undefined });
  const clock = new MovableClock();
  const region = await loadRegion({ env });
  const app = await buildApp({ env, log, clock, region, pool: database.pool, withRealtime: false });
  await app.http.ready();
  return {
    app: { ...app, clock },
    async close() {
      await app.http.close();
      await database.close();
    },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await isSo()); waitedMs += 50) {
    if (waitedMs > waitsAtMostMs) throw new Error('The drill stands still.');
    await sleep(50);
  }
}

/** Compares a database that has just been restored: seats with bookings, chat lines with what was said. */
async function compare({ pool }: BuiltApp, said: readonly SaidLines[]) {
  const { lost, doubled, reordered } = compareLines(await keptLines(pool), said);
  return {
    seats: await wrongSeats(pool, { isHeard: false }),
    lines: {
      lines: said.reduce((sum, { texts }) => sum + texts.length, 0),
      linesLost: lost.length,
      linesDoubled: doubled.length,
      linesReordered: reordered.length,
    },
  };
}

const bytesIn = (folder: string): number =>
  fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(`${folder}/${name}`).size, 0);
