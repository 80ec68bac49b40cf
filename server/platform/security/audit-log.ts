import type { AdminAction, AdminReading } from '#contract/admin/endpoints.ts';
import { keptMs } from '#contract/privacy/retention.ts';
import type { SecurityCount } from '#contract/admin/security.ts';
import { dayMs, hourMs, later, type Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Transact } from '../database/transact.ts';
import type { SecurityLog } from './security-log.ts';
import * as store from './audit-store.ts';

export interface AdminDeed {
  /** Null for the command line. */
  adminId: string | null;
  action: AdminAction;
  /** The person it is about. */
  personId: string | null;
  thingId?: string;
  note?: string;
}

/** Counts of security events, which contain no names, are retained for a quarter. */
const countsKeptMs = 90 * dayMs;

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);

export type { ActionRow, LogPage, ReadingRow } from './audit-store.ts';
interface Parts {
  db: Db;
  transact: Transact;
  clock: Clock;
  security: SecurityLog;
  hasAccount: store.HasAccount;
}

export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * The log of what admins do, in which nothing is ever changed or removed; of what they read; and of security
 * events.
 */
export function createAuditLog({ db, transact, clock, security, hasAccount }: Parts) {
  return {
    /** Notes a deed in the transaction that does it. */
    note: (tx: Db, deed: AdminDeed) => noteDeed(tx, deed, clock.now()),

    /** The log, the newest first. */
    page: (page: store.LogPage) => newestDeeds(db, page),

    /**
     * Notes what an admin is about to be shown, and of whom: once an hour for each list, so that a page that
     * refreshes itself does not flood the log. Called before the answer: what cannot be noted is not shown.
     */
    async noteReading(
      adminId: string,
      list: AdminReading,
      personIds: readonly (string | null)[],
    ): Promise<void> {
      const at = clock.now();
      const ids = [...new Set(personIds)].filter((id) => id !== null);
      await transact('write audit line', (tx) =>
        store.keepReading(tx, { adminId, list, hourAt: hourOf(at), at }, { ids, hasAccount }),
      );
    },

    /** Readings by admins, the newest first. */
    async readings(page: store.LogPage): Promise<{ rows: store.ReadingRow[]; total: number }> {
      const [rows, total] = await Promise.all([
        store.newestReadings(db, page),
        store.countReadings(db, page),
      ]);
      return { rows, total };
    },

    /** How many security events of each kind there were. Those of other processes are a few seconds late. */
    async securityFigures(): Promise<SecurityCount[]> {
      await security.flush();
      const now = clock.now();
      const rows = await store.securityFigures(db, {
        lately: later(hourOf(now), -hourMs),
        day: later(hourOf(now), -dayMs),
        week: later(hourOf(now), -7 * dayMs),
      });
      return rows;
    },

    /** Removes readings and counts that are old. */
    async clearOld(): Promise<void> {
      const now = clock.now();
      await store.clearOld(db, {
        readings: later(now, -keptMs('readings')),
        counts: later(now, -countsKeptMs),
      });
    },
  };
}

/** The log, the newest first: for the command line, too. */
export async function newestDeeds(
  db: Db,
  page: store.LogPage,
): Promise<{ rows: store.ActionRow[]; total: number }> {
  const [rows, total] = await Promise.all([store.newestActions(db, page), store.countActions(db, page)]);
  return { rows, total };
}

/** Notes a deed for the command line, which builds no app. */
export const noteDeed = (tx: Db, deed: AdminDeed, at: Date): Promise<void> =>
  store.insertAction(tx, { ...deed, at });
