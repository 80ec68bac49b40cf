import type { SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';

/** Questions to features above this one. */
export interface DriverPorts {
  /** A condition that is true for a vehicle on an open ride. */
  isOnOpenRide(tx: Db, vehicleId: string): SQL;
}
