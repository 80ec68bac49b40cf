import { hourMs, minuteMs, MovableClock, secondMs, type Clock } from '../clock.ts';
import { placeDatabase } from '../database/database-folder.ts';
import type { Env } from '../env.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ScheduledTask } from '../queue/scheduler.ts';
import { backUp } from './backup.ts';
import { backupsAt } from './backup-notes.ts';
import { openDestination } from './destination.ts';
import { shipLog } from './log-archive.ts';

/**
 * Schedules backups if `BACKUP_TO` is set: one when the last is old enough; and of the embedded database's
 * log, every few seconds.
 * @param machine the machine's clock, which the app's clock may be ahead of
 */
export function scheduleBackups(
  { env, log, metrics }: { env: Env; log: Log; metrics: Metrics },
  machine: Clock = new MovableClock(),
): readonly ScheduledTask[] {
  const { BACKUP_TO: target } = env;
  if (target === undefined) return [];
  const destination = openDestination(target, env);
  const nowMs = () => machine.now().getTime();
  const startedMs = nowMs();
  /** Only the process that runs the backups knows it. */
  let lastMs: number | null = null;
  metrics.addGauge({
    name: 'sameway_backup_age_seconds',
    help: 'How long ago the last backup was complete; without any, how long the process has waited for one.',
    read: () => (lastMs === null ? [] : [{ value: (nowMs() - lastMs) / secondMs }]),
  });
  return [
    {
      name: 'backup',
      everyMs: 5 * minuteMs,
      isApart: true,
      async run() {
        const last = (await backupsAt(destination)).at(-1);
        lastMs = last === undefined ? startedMs : Date.parse(last.at);
        if (last !== undefined && nowMs() - lastMs < env.BACKUP_EVERY_HOURS * hourMs) return;
        const note = await backUp(env, destination, process.env);
        lastMs = Date.parse(note.at);
        log.info({ archive: note.archive, bytes: note.bytes }, 'backed up');
      },
    },
    ...(env.DATABASE_URL === undefined
      ? [
          {
            name: 'log of the database',
            everyMs: 2 * secondMs,
            isApart: true,
            run: async () => void (await shipLog(placeDatabase(env.DATA_DIR), destination, env)),
          },
        ]
      : []),
  ];
}
