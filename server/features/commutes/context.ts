import type { LRUCache } from 'lru-cache';
import type { App } from '../../app-type.ts';
import type { WayRow } from './store.ts';

/** A commute's drive on the roads. */
export type CommuteDrive = Pick<WayRow, 'driveMs' | 'corridor'>;

/** What the commands of this feature use. */
export interface CommutesContext {
  platform: App;
  /**
   * Drives by their ends, `none` where no road leads: a person's commutes are computed again with each order
   * that changes, and mostly are those of before.
   */
  drives: LRUCache<string, CommuteDrive | 'none'>;
}
