import { LRUCache } from 'lru-cache';
import type { CommuteRow } from './store.ts';

const mostDrives = 2000;

/** A commute's drive on the roads. */
export type CommuteDrive = Pick<CommuteRow, 'driveMs' | 'corridor'>;

/** State of this feature that lives as long as the process. */
export interface CommutesState {
  /**
   * Drives by their ends, `none` where no road leads: a person's commutes are computed again with each order
   * that changes, and mostly are those of before.
   */
  drives: LRUCache<string, CommuteDrive | 'none'>;
}

export const openCommutes = (): CommutesState => ({ drives: new LRUCache({ max: mostDrives }) });
