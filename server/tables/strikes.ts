import { index, pgTable, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { rides } from './rides.ts';

/** A ride that its driver cancelled late, or did not come to, with somebody joined; one a ride. */
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
  },
  (t) => [index('strikes_driver').on(t.driverId, t.at)],
);
