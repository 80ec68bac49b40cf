import { readSetting, removeSetting, replaceSetting } from '../../../platform/database/settings.ts';
import type { Db } from '../../../platform/database/db.ts';

const name = 'setup';

/** The stored setup link: its hash, and when it was made. */
export interface SetupRow {
  tokenHash: string;
  madeAt: string;
}

export async function readSetupRow(db: Db): Promise<SetupRow | null> {
  const kept = await readSetting(db, name);
  if (typeof kept !== 'object' || kept === null) return null;
  const { tokenHash, madeAt } = kept as Partial<SetupRow>;
  return typeof tokenHash === 'string' && typeof madeAt === 'string' ? { tokenHash, madeAt } : null;
}

/** Replaces the link. @returns false if another process was faster */
export const replaceSetupRow = (db: Db, before: SetupRow | null, row: SetupRow): Promise<boolean> =>
  replaceSetting(db, name, before ?? undefined, row);

/** Ends a link. @returns false if it has already ended */
export const removeSetupRow = (db: Db, row: SetupRow): Promise<boolean> => removeSetting(db, name, row);
