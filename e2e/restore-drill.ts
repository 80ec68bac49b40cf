import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp, type App } from '../server/app.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { backupsAt } from '../server/platform/backup/backup-notes.ts';
import { openDestination } from '../server/platform/backup/destination.ts';
import { restore } from '../server/platform/backup/restore.ts';
import { MovableClock, secondMs } from '../server/platform/clock.ts';
import { placeDatabase } from '../server/platform/database/database-folder.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { readEnv } from '../server/platform/env.ts';
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
  /** The size of the write-ahead log that was copied besides it. */
  logBytes: number;
  restoreSeconds: number;
  /**
   * Successful actions that are missing after the restore; actions that happened twice; differences in the
   * ledger.
   */
  lost: number;
  doubled: number;
  ledgerDifferences: number;
  /** Legs with more people than seats, or whose seat count differs from their bookings. */
  wrongSeats: number;
  /** Chat rooms with a missing line. */
  roomsWithGaps: number;
  /**
   * After a restore to a moment: how long before it the last change was, and how many changes are later than
   * it.
   */
  pointInTimeSeconds: number;
  laterThanPoint: number;
}

const log = pino({ level: 'silent' });
const answersBefore = 60;
const answersAfter = 40;
const waitsAtMostMs = 300_000;

/**
 * Runs an installation that makes backups and archives its log while people do paid rides; kills server and
 * database with -9, as a power failure would; restores the installation with what its disk still holds, and
 * once more to a moment in between; and compares.
 */
export async function drillRestore(seed = 1): Promise<DrillFigures> {
  const [old, backups, fresh, past] = [newDataFolder(), newDataFolder(), newDataFolder(), newDataFolder()];
  const settings = {
    BACKUP_TO: backups.folder,
    BACKUP_KEY: 'a secret of the drill',
    BACKUP_LOG_SECONDS: '5',
    ...letsPeopleDown,
  };
  const envOf = (folder: string) =>
    readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', REGION: 'santa-cruz', DATA_DIR: folder, ...settings });
  const destination = openDestination(backups.folder, envOf(old.folder));
  try {
    const first = await open(envOf(old.folder));
    const run = new BusyRun(first.app, first.app.pool, randomFrom(seed));
    const pairs = await run.begin();
    const server = await startServer(old.folder, { DEMO: '0', ...settings });
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
    const postmaster = Number(
      fs.readFileSync(`${placeDatabase(old.folder)}/data/postmaster.pid`, 'utf8').split('\n')[0],
    );
    process.kill(postmaster, 'SIGKILL');

    const beganMs = performance.now();
    const say = () => undefined;
    const { note } = await restore(envOf(fresh.folder), destination, { restOf: old.folder, say });
    const restoreSeconds = (performance.now() - beganMs) / secondMs;
    const restored = await open(envOf(fresh.folder));
    run.moveTo(restored.app);
    // Until now, searches were waiting for the killed database.
    await first.close();
    // People continue at the restored installation.
    const next = await startServer(fresh.folder, { DEMO: '0', ...settings });
    run.isOver = true;
    run.open(next);
    await Promise.all(pairs);
    await next.stop();
    const ledgerDifferences = await settle(restored.app, log);
    const figures = {
      acknowledged: run.acknowledged.length,
      lost: await run.countLost(),
      doubled: await run.countDoubled(),
      ledgerDifferences,
      ...(await compare(restored.app)),
    };
    await restored.close();
    return {
      ...figures,
      backupBytes: note.bytes,
      backupSeconds: (Date.parse(note.at) - Date.parse(note.beganAt)) / secondMs,
      logBytes: bytesIn(`${backups.folder}/log`),
      restoreSeconds,
      ...(await toMoment(envOf(past.folder), destination, point)),
    };
  } finally {
    for (const each of [old, backups, fresh, past]) each.remove();
  }
}

async function toMoment(
  env: ReturnType<typeof readEnv>,
  destination: ReturnType<typeof openDestination>,
  point: Date,
) {
  const { lastChangeAt } = await restore(env, destination, { at: point, say: () => undefined });
  const there = await open(env);
  const { rows } = await there.app.pool.query<{ later: number }>(
    'select count(*)::int as later from move_history where at > $1',
    [point],
  );
  await there.close();
  return {
    pointInTimeSeconds:
      lastChangeAt === null ? Infinity : (point.getTime() - lastChangeAt.getTime()) / secondMs,
    laterThanPoint: rows[0]!.later,
  };
}

/** Opens the whole server on a database, without a port, to inspect it. */
async function open(
  env: ReturnType<typeof readEnv>,
): Promise<{ app: App & { clock: MovableClock }; close(): Promise<void> }> {
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

/** Counts inconsistencies that a restore must not leave. */
async function compare({ pool }: App): Promise<Pick<DrillFigures, 'wrongSeats' | 'roomsWithGaps'>> {
  const { rows } = await pool.query<{ seats: number; rooms: number }>(`
    select (select count(*)::int from ride_stops where seats_taken > seats or seats_taken < 0) as seats,
      (select count(*)::int from (
        select from chat_messages group by room_id having count(*) <> max(seq) or min(seq) <> 1) gap) as rooms`);
  return { wrongSeats: rows[0]!.seats, roomsWithGaps: rows[0]!.rooms };
}

const bytesIn = (folder: string): number =>
  fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(`${folder}/${name}`).size, 0);
