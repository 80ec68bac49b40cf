import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { rides } from './rides.ts';

/** A ride with joined passengers that its driver canceled late, or did not come to; one row a ride. */
export const strikes = pgTable(
  'strikes',
  {
    rideId: deletedWith('ride_id', () => rides.id).primaryKey(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    at: instantColumn('at').notNull(),
    /** The witness: the driver's own act, a passenger, or a conclusion of the scheduler. */
    by: text('by', { enum: ['driver', 'passenger', 'system'] })
      .notNull()
      .default('driver'),
  },
  (t) => [index('strikes_driver').on(t.driverId, t.at)],
);
