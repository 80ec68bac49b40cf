import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { placeStates } from '#contract/events/plan.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { events } from './events.ts';
import { users } from './identity.ts';
import { requests, rides } from './rides.ts';

/**
 * A place in a car that an organizer's plan proposes to its driver and a passenger. It holds no seat: who
 * says yes asks or invites by it, and the booking that follows is what counts.
 */
export const eventPlaces = pgTable(
  'event_places',
  {
    id: uuid('id').primaryKey(),
    eventId: deletedWith('event_id', () => events.id).notNull(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    requestId: deletedWith('request_id', () => requests.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    state: text('state', { enum: placeStates }).notNull(),
    /** As the plan had them when it was sent. */
    pickupAt: instantColumn('pickup_at').notNull(),
    dropoffAt: instantColumn('dropoff_at').notNull(),
    createdAt: instantColumn('created_at').notNull(),
    endedAt: instantColumn('ended_at'),
  },
  (t) => [
    // A pair that came to nothing is not proposed again.
    uniqueIndex('event_places_pair').on(t.rideId, t.requestId),
    uniqueIndex('event_places_open_request')
      .on(t.requestId)
      .where(sql`state in ('open', 'taken')`),
    index('event_places_event').on(t.eventId),
    index('event_places_driver').on(t.driverId),
    index('event_places_passenger').on(t.passengerId),
  ],
);
