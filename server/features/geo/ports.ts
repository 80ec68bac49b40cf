import type { Db } from '../../platform/database/db.ts';

/** A place that a person entered in an order, with its exact address. */
export interface UsedPlace {
  name: string;
  detail: string;
  lon: number;
  lat: number;
}

/** Questions of geo to orders, which depend on it. */
export interface GeoPorts {
  /**
   * The places of a person's latest orders, up to `orders` rides and `orders` requests, the newest first; may
   * repeat.
   */
  latestPlaces(db: Db, personId: string, orders: number): Promise<UsedPlace[]>;
}
