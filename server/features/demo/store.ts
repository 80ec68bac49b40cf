import { not, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { readSetting, writeSetting } from '../../platform/database/settings.ts';
import { isStaffAddress } from '../identity/queries.ts';

const clockOffset = 'clockOffsetMs';

/**
 * Milliseconds by which the demo's clock was ahead when the server stopped; 0 where it was never moved. The
 * new clock starts with that offset.
 */
export async function readClockOffset(db: Db): Promise<number> {
  const value = await readSetting(db, clockOffset);
  return typeof value === 'number' ? value : 0;
}

export const keepClockOffset = (tx: Db, offsetMs: number): Promise<void> =>
  writeSetting(tx, clockOffset, offsetMs);

export const isNotOfStaff = (address: SQLWrapper): SQL => not(isStaffAddress(address));
