import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { contactKinds } from '#contract/rides/moves.ts';
import { deletedWith, instantColumn } from './columns.ts';
import { users } from './identity.ts';
import { bookings, rides } from './rides.ts';

/** Where the car of a ride under way was last; one row a ride, gone once the ride has ended. */
export const ridePositions = pgTable('ride_positions', {
  rideId: deletedWith('ride_id', () => rides.id).primaryKey(),
  driverId: deletedWith('driver_id', () => users.id).notNull(),
  lon: doublePrecision('lon').notNull(),
  lat: doublePrecision('lat').notNull(),
  headingDegrees: doublePrecision('heading_degrees'),
  at: instantColumn('at').notNull(),
});

/**
 * Where a passenger and the car were first together, after one side alone has confirmed the meeting; gone
 * once the passenger is on board or the ride has ended.
 */
export const riderPositions = pgTable(
  'rider_positions',
  {
    bookingId: deletedWith('booking_id', () => bookings.id).primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    lon: doublePrecision('lon').notNull(),
    lat: doublePrecision('lat').notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [index('rider_positions_ride').on(t.rideId), index('rider_positions_passenger').on(t.passengerId)],
);

/**
 * Bookings of which both sides are asked whether they rode, because the server was away on the day or one
 * side alone has confirmed the meeting.
 */
export const rideQuestions = pgTable(
  'ride_questions',
  {
    bookingId: deletedWith('booking_id', () => bookings.id).primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    askedAt: instantColumn('asked_at').notNull(),
    answerBy: instantColumn('answer_by').notNull(),
    /** Null: has not answered. */
    driverSays: boolean('driver_says'),
    passengerSays: boolean('passenger_says'),
    outcome: text('outcome', { enum: ['happened', 'notHappened', 'contested', 'overtaken'] }),
    closedAt: instantColumn('closed_at'),
  },
  (t) => [
    index('ride_questions_ride').on(t.rideId),
    index('ride_questions_driver').on(t.driverId),
    index('ride_questions_passenger').on(t.passengerId),
    index('ride_questions_open')
      .on(t.answerBy)
      .where(sql`closed_at is null`),
  ],
);

/** Drivers' attempts to contact passengers whose pick-ups they had reached. */
export const contactAttempts = pgTable(
  'contact_attempts',
  {
    id: uuid('id').primaryKey(),
    bookingId: deletedWith('booking_id', () => bookings.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    kind: text('kind', { enum: contactKinds }).notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [index('contact_attempts_booking').on(t.bookingId), index('contact_attempts_driver').on(t.driverId)],
);

/**
 * Drivers who were reported not to have come. The authorization remains until `resolveAt`: until then
 * positions and steps stored on a phone may contradict it.
 */
export const driverReports = pgTable(
  'driver_reports',
  {
    bookingId: deletedWith('booking_id', () => bookings.id).primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    /** Whether a person said so or the clock concluded it. */
    by: text('by', { enum: ['passenger', 'system'] }).notNull(),
    at: instantColumn('at').notNull(),
    resolveAt: instantColumn('resolve_at').notNull(),
    /** `undone`: the passenger was on board after all. */
    outcome: text('outcome', { enum: ['upheld', 'contested', 'undone'] }),
    closedAt: instantColumn('closed_at'),
  },
  (t) => [
    index('driver_reports_driver').on(t.driverId),
    index('driver_reports_passenger').on(t.passengerId),
    index('driver_reports_open')
      .on(t.resolveAt)
      .where(sql`closed_at is null`),
  ],
);

/** Lost places about which an email with other rides has gone out, so that it goes once. */
export const rebookingEmails = pgTable('rebooking_emails', {
  bookingId: deletedWith('booking_id', () => bookings.id).primaryKey(),
  at: instantColumn('at').notNull(),
});
