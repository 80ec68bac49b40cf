import { doublePrecision, pgTable, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { bookings, rides } from './rides.ts';

/** Where the car of a ride under way was last; one row a ride, gone once the ride has ended. */
export const ridePositions = pgTable('ride_positions', {
  rideId: uuid('ride_id')
    .primaryKey()
    .references(() => rides.id, { onDelete: 'cascade' }),
  driverId: uuid('driver_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  lon: doublePrecision('lon').notNull(),
  lat: doublePrecision('lat').notNull(),
  headingDegrees: doublePrecision('heading_degrees'),
  at: instantColumn('at').notNull(),
});

/** Lost places about which a letter with other rides has gone out, so that it goes once. */
export const rescueLetters = pgTable('rescue_letters', {
  bookingId: uuid('booking_id')
    .primaryKey()
    .references(() => bookings.id, { onDelete: 'cascade' }),
  at: instantColumn('at').notNull(),
});
