import type { Place } from '#contract/units.ts';
import type { Db } from '../../platform/database/db.ts';

/** Questions of geo to orders, which depend on it. */
export interface GeoPorts {
  /**
   * The places of a person's latest orders, up to `orders` rides and `orders` requests, the newest first; may
   * repeat. As they were entered, with their exact addresses.
   */
  latestPlaces(db: Db, personId: string, orders: number): Promise<Place[]>;
}
