import type { z } from 'zod';
import { appVersion } from '#contract/app/endpoints.ts';
import {
  mostUnheardCounted,
  type changeMaintenance,
  type readQueue,
  type readSettings,
} from '#contract/admin/operations.ts';
import type { OutputOf } from '#contract/define.ts';
import { nextTryAt, readBackupState, type BackupState } from '../../platform/backup/backup-state.ts';
import { beginMaintenance, endMaintenance, type MaintenanceState } from '../../platform/maintenance.ts';
import { consumerLags } from '../../platform/events/event-log.ts';
import { jobsByTask } from '../../platform/events/queue-counts.ts';
import type { Platform } from '../../platform/platform.ts';

type Shown = OutputOf<typeof readSettings>;

/** The settings of this process as an admin sees them. The audit log records the view. */
export async function settingsOf({ env, db, audit, maintenance }: Platform, adminId: string): Promise<Shown> {
  await audit.noteReading(adminId, 'settings', []);
  await maintenance.look();
  return {
    release: appVersion,
    node: process.versions.node,
    roles: [...env.ROLES],
    settings: env.shown,
    maintenance: shownState(maintenance.state),
    backup: shownBackup(await readBackupState(db)),
  };
}

const shownBackup = (state: BackupState | null): Shown['backup'] =>
  state && {
    last: state.lastAt,
    failure: state.failure && { ...state.failure, next: nextTryAt(state.failure).toISOString() },
  };

/**
 * Jobs by task, and the listeners of the event log, the slowest first.
 * @param listeners null for all that ever had a cursor: the command line does not know those of the app
 */
export async function queueOf(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  listeners: readonly string[] | null,
): Promise<OutputOf<typeof readQueue>> {
  const [jobs, lags] = await Promise.all([jobsByTask(db), consumerLags(db, listeners, mostUnheardCounted)]);
  const nowMs = clock.now().getTime();
  return {
    jobs,
    listeners: lags
      .map(({ consumer, unheard, oldestAt }) => ({
        listener: consumer,
        unheard,
        lagMs: oldestAt === null ? 0 : Math.max(0, nowMs - oldestAt.getTime()),
      }))
      .toSorted((a, b) => b.lagMs - a.lagMs || b.unheard - a.unheard || (a.listener < b.listener ? -1 : 1)),
  };
}

/** Turns maintenance on or off, and writes it to the audit log. */
export async function maintain(
  { transact, audit, clock, maintenance }: Platform,
  adminId: string,
  { isOn, message }: z.output<typeof changeMaintenance.input>,
): Promise<Shown['maintenance']> {
  const deed = { adminId, personId: null };
  await transact('change maintenance', async (tx) => {
    if (isOn) {
      await beginMaintenance(tx, message, clock.now());
      await audit.note(tx, { ...deed, action: 'maintenance.begun', note: message });
    } else if (await endMaintenance(tx)) await audit.note(tx, { ...deed, action: 'maintenance.ended' });
  });
  await maintenance.look();
  return shownState(maintenance.state);
}

const shownState = (state: MaintenanceState | null): Shown['maintenance'] =>
  state && { message: state.message, since: state.sinceAt };
