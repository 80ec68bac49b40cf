import type { Db } from '../../platform/database/db.ts';

/** A place that a person has named, to the door. */
export interface UsedPlace {
  name: string;
  detail: string;
  lon: number;
  lat: number;
}

/** What places ask of orders, which stand above them: `server/app.ts` hands it in. */
export interface OrderDirectory {
  /**
   * The places of a person's latest orders, so many rides and so many requests, the newest first; may repeat.
   */
  latestPlaces(db: Db, personId: string, orders: number): Promise<UsedPlace[]>;
}
