import { hourMs, minuteMs, MovableClock, secondMs, type Clock } from '../clock.ts';
import { placeDatabase } from '../database/database-folder.ts';
import type { Env } from '../env.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Platform } from '../platform.ts';
import type { ScheduledTask } from '../queue/scheduler.ts';
import { backUp } from './backup.ts';
import { backupsAt } from './backup-notes.ts';
import { nextTryAt, noteBackupFailure, noteLastBackup, readBackupState } from './backup-state.ts';
import { openDestination, type Destination } from './destination.ts';
import { shipLog } from './log-archive.ts';

type BackupPlatform = Pick<Platform, 'env' | 'db' | 'log' | 'metrics'>;

/**
 * Schedules backups if `BACKUP_TO` is set: one when the last is old enough; and of the embedded database's
 * log, every few seconds. What fails is tried again later, also by another process.
 * @param machine the machine's clock, which the app's clock may be ahead of
 */
export function scheduleBackups(
  platform: BackupPlatform,
  machine: Clock = new MovableClock(),
): readonly ScheduledTask[] {
  const { env } = platform;
  addBackupGauges(platform, machine);
  if (env.BACKUP_TO === undefined) return [];
  const destination = openDestination(env.BACKUP_TO, env);
  return [
    {
      name: 'backup',
      everyMs: 5 * minuteMs,
      isApart: true,
      run: () => backUpWhenDue(platform, destination, machine),
    },
    ...(env.DATABASE_URL === undefined ? [shipsLog(env, destination, machine)] : []),
  ];
}

/**
 * Reads the state from the database, so that it covers all processes and backups made by a separate program.
 */
function addBackupGauges(
  { db, metrics }: { db: BackupPlatform['db']; metrics: Metrics },
  machine: Clock,
): void {
  metrics.addGauge({
    name: 'sameway_backup_age_seconds',
    help: 'How long ago the last backup was complete; without any, how long the installation has waited for one.',
    async read() {
      const state = await readBackupState(db);
      if (state === null) return [];
      const sinceMs = Date.parse(state.lastAt ?? state.waitsSince);
      return [{ value: (machine.now().getTime() - sinceMs) / secondMs }];
    },
  });
  metrics.addGauge({
    name: 'sameway_backup_failures',
    help: 'How many backups in a row have failed since the last complete one.',
    async read() {
      const state = await readBackupState(db);
      return state === null ? [] : [{ value: state.failure?.tries ?? 0 }];
    },
  });
}

async function backUpWhenDue(
  { env, db, log }: BackupPlatform,
  destination: Destination,
  machine: Clock,
): Promise<void> {
  const failure = (await readBackupState(db))?.failure ?? null;
  if (failure !== null && machine.now() < nextTryAt(failure)) return;
  try {
    const last = (await backupsAt(destination)).at(-1);
    const ageMs = last === undefined ? Infinity : machine.now().getTime() - Date.parse(last.at);
    if (ageMs < env.BACKUP_EVERY_HOURS * hourMs) return await noteLastBackup(db, last!.at, machine.now());
    const note = await backUp(env, destination, process.env);
    log.info({ archive: note.archive, bytes: note.bytes }, 'backed up');
  } catch (error) {
    const triesAgainAt = await noteBackupFailure(db, error, machine.now());
    log.error({ to: destination.title, triesAgainAt }, 'a backup failed');
    throw error;
  }
}

const logPauseMs = minuteMs;

/**
 * Runs every two seconds; after a failure, such as a full disk, waits a minute. PostgreSQL keeps the log in
 * the meantime.
 */
function shipsLog(env: Env, destination: Destination, machine: Clock): ScheduledTask {
  let notBeforeMs = 0;
  return {
    name: 'log of the database',
    everyMs: 2 * secondMs,
    isApart: true,
    async run() {
      if (machine.now().getTime() < notBeforeMs) return;
      try {
        await shipLog(placeDatabase(env.DATA_DIR), destination, env);
      } catch (error) {
        notBeforeMs = machine.now().getTime() + logPauseMs;
        throw error;
      }
    },
  };
}
