import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { rides } from './rides.ts';

/** A ride with joined passengers that its driver canceled late, or did not come to; one row a ride. */
export const strikes = pgTable(
  'strikes',
  {
    rideId: uuid('ride_id')
      .primaryKey()
      .references(() => rides.id, { onDelete: 'cascade' }),
    driverId: uuid('driver_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: instantColumn('at').notNull(),
    /** The witness: the driver's own act, a passenger, or a conclusion of the scheduler. */
    by: text('by', { enum: ['driver', 'passenger', 'system'] })
      .notNull()
      .default('driver'),
  },
  (t) => [index('strikes_driver').on(t.driverId, t.at)],
);
