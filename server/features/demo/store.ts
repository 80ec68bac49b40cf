import type { Db } from '../../platform/database/db.ts';
import { readSetting, writeSetting } from '../../platform/database/settings.ts';

const clockOffset = 'clockOffsetMs';

/** Milliseconds by which the demo's clock is ahead; 0 where it was never moved. */
export async function readClockOffset(db: Db): Promise<number> {
  const value = await readSetting(db, clockOffset);
  return typeof value === 'number' ? value : 0;
}

export const keepClockOffset = (tx: Db, offsetMs: number): Promise<void> =>
  writeSetting(tx, clockOffset, offsetMs);
