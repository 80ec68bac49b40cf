import { z } from 'zod';
import { later, minuteMs } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { readSetting, writeSetting } from '../database/settings.ts';

const settingName = 'backups';
/** After each failure the next try comes later: a full disk stays full, and each try costs the same. */
const firstPauseMs = 15 * minuteMs;
const longestPauseMs = 240 * minuteMs;
const longestReason = 300;

const backupState = z.object({
  /** The first time that a process checked for a backup. */
  waitsSince: z.iso.datetime(),
  /** When the last complete backup was made; null before the first. */
  lastAt: z.iso.datetime().nullable(),
  /** The failures since the last complete backup: how many in a row, and the latest. */
  failure: z.object({ tries: z.number().int(), at: z.iso.datetime(), reason: z.string() }).nullable(),
});
/** The state of backups in the database, for all processes and across restarts, by the machine's clock. */
export type BackupState = z.output<typeof backupState>;

/** Null before the first check for a backup. */
export async function readBackupState(db: Db): Promise<BackupState | null> {
  const kept = backupState.safeParse(await readSetting(db, settingName));
  return kept.success ? kept.data : null;
}

/** Keeps when the last complete backup was made, which ends a row of failures. @param lastAt null for none */
export async function noteLastBackup(db: Db, lastAt: string | null, now: Date): Promise<void> {
  const before = await readBackupState(db);
  if (before !== null && before.lastAt === lastAt && before.failure === null) return;
  const waitsSince = before?.waitsSince ?? now.toISOString();
  await writeSetting(db, settingName, { waitsSince, lastAt, failure: null } satisfies BackupState);
}

/** Keeps that a backup failed. @returns when the next one is to be tried */
export async function noteBackupFailure(db: Db, error: unknown, now: Date): Promise<Date> {
  const before = await readBackupState(db);
  const failure = {
    tries: (before?.failure?.tries ?? 0) + 1,
    at: now.toISOString(),
    reason: (error instanceof Error ? error.message : String(error)).slice(0, longestReason),
  };
  const kept = { waitsSince: before?.waitsSince ?? failure.at, lastAt: before?.lastAt ?? null, failure };
  await writeSetting(db, settingName, kept satisfies BackupState);
  return nextTryAt(failure);
}

/** When a backup is tried again after a failure. */
export const nextTryAt = ({ tries, at }: NonNullable<BackupState['failure']>): Date =>
  later(new Date(at), Math.min(firstPauseMs * 2 ** Math.min(tries - 1, 10), longestPauseMs));
