import { eq } from 'drizzle-orm';
import { settings } from '../schema/platform.ts';
import { readSetting, writeSetting } from './database/settings.ts';
import type { Db } from './database/db.ts';
import { changesAny } from './database/one-row.ts';
import type { Log } from './observability/log.ts';

const settingName = 'maintenance';
export const longestMaintenanceMessage = 500;

/** The maintenance that closes the installation to people. */
export interface MaintenanceState {
  /** The operator's message; empty for none. */
  message: string;
  sinceAt: string;
}

export interface Maintenance {
  /** Null while the installation is open. */
  readonly state: MaintenanceState | null;
  /** Reads the state from the database; every process does so every two seconds. */
  look(): Promise<void>;
  /** Calls `tell` when this process notices that maintenance begins or ends. */
  onChange(tell: (state: MaintenanceState | null) => void): void;
}

/** The state of maintenance, which all processes read from the database. */
export function createMaintenance({ db, log }: { db: Db; log: Log }): Maintenance {
  let state: MaintenanceState | null = null;
  const listeners: ((state: MaintenanceState | null) => void)[] = [];
  return {
    get state() {
      return state;
    },
    async look() {
      const before = state;
      state = await readMaintenance(db);
      if ((before === null) === (state === null)) return;
      log.info({ since: state?.sinceAt }, state === null ? 'maintenance is over' : 'maintenance begins');
      for (const tell of listeners) tell(state);
    },
    onChange(tell) {
      listeners.push(tell);
    },
  };
}

export async function readMaintenance(db: Db): Promise<MaintenanceState | null> {
  const kept = await readSetting(db, settingName);
  if (typeof kept !== 'object' || kept === null) return null;
  const { message, sinceAt } = kept as Partial<MaintenanceState>;
  return { message: typeof message === 'string' ? message : '', sinceAt: String(sinceAt) };
}

/** Begins maintenance, or changes its message. */
export async function beginMaintenance(db: Db, message: string, at: Date): Promise<void> {
  const sinceAt = (await readMaintenance(db))?.sinceAt ?? at.toISOString();
  await writeSetting(db, settingName, { message, sinceAt } satisfies MaintenanceState);
}

/** Ends maintenance. @returns false if it was not on */
export const endMaintenance = (db: Db): Promise<boolean> =>
  changesAny(db.delete(settings).where(eq(settings.name, settingName)));
