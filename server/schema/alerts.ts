import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { deletedWith, instantColumn, placeColumns, preferenceColumns, regionColumn } from './columns.ts';
import { users } from './identity.ts';
import { requests, rides, type StoredSpot } from './rides.ts';

const box = customType<{ data: string }>({ dataType: () => 'box' });

/** Orders that people wait for: a passenger for rides, a driver for requests. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    role: text('role', { enum: ['driver', 'passenger'] }).notNull(),
    ...placeColumns('from'),
    ...placeColumns('to'),
    ...regionColumn(),
    timeZone: text('time_zone').notNull(),
    estimated: boolean('estimated').notNull(),
    /** The way from `from` to `to` alone. */
    driveMs: integer('drive_ms').notNull(),
    driveMetres: integer('drive_metres').notNull(),
    seats: integer('seats').notNull(),
    ...preferenceColumns(),
    /** Of a weekly alert, as it was entered; null for a single window. */
    days: integer('days').array(),
    fromTime: text('from_time'),
    toTime: text('to_time'),
    until: text('until'),
    /** A passenger's; per person, null leaves it open. */
    offerCents: integer('offer_cents'),
    walkMetres: integer('walk_metres'),
    pickupMeetingPoints: jsonb('pickup_meeting_points').$type<readonly StoredSpot[]>().notNull().default([]),
    dropoffMeetingPoints: jsonb('dropoff_meeting_points')
      .$type<readonly StoredSpot[]>()
      .notNull()
      .default([]),
    /** A driver's. */
    maxDetourMs: integer('max_detour_ms'),
    priceKind: text('price_kind', { enum: ['perPerson', 'perCar'] }),
    costCents: integer('cost_cents'),
    /** Everything that was entered, written one way: the same twice is refused. */
    sameness: text('sameness').notNull(),
    /** When its last window ends. */
    endsAt: instantColumn('ends_at').notNull(),
    /**
     * Until when no email about it is posted: one was a short while ago, or its owner is not to be disturbed.
     */
    noEmailBefore: instantColumn('no_email_before'),
    /** When the clock checks whether to send an email about it; null where nothing waits for one. */
    nextAt: instantColumn('next_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('alerts_owner_sameness').on(t.ownerId, t.sameness),
    index('alerts_end').on(t.endsAt),
    index('alerts_due')
      .on(t.nextAt)
      .where(sql`next_at is not null`),
    check('alerts_seats', sql`seats between 1 and 8`),
    check(
      'alerts_role',
      sql`case role when 'passenger' then walk_metres is not null else max_detour_ms is not null and price_kind is not null and cost_cents >= 0 end`,
    ),
  ],
);

/** The windows of an alert as instants: one search of an index finds those near an order and in its time. */
export const alertWindows = pgTable(
  'alert_windows',
  {
    alertId: deletedWith('alert_id', () => alerts.id).notNull(),
    earliestAt: instantColumn('earliest_at').notNull(),
    latestAt: instantColumn('latest_at').notNull(),
    /**
     * Degrees of longitude and latitude that hold what the alert can be about: the passenger's start, or all
     * places that the driver can come by.
     */
    reach: box('reach').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.alertId, t.earliestAt] }),
    // The time first: in a town where thousands wait, most windows are near an order, and few in its hours.
    index('alert_windows_in_time').using('gist', sql`tstzrange(earliest_at, latest_at, '[]')`, t.reach),
    check(
      'alert_windows_span',
      sql`earliest_at <= latest_at and latest_at <= earliest_at + interval '1 day'`,
    ),
  ],
);

/** Orders that fit an alert, each once, whatever becomes of them. */
export const alertHits = pgTable(
  'alert_hits',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    alertId: deletedWith('alert_id', () => alerts.id).notNull(),
    rideId: deletedWith('ride_id', () => rides.id),
    requestId: deletedWith('request_id', () => requests.id),
    pickupAt: instantColumn('pickup_at').notNull(),
    dropoffAt: instantColumn('dropoff_at').notNull(),
    fareCents: integer('fare_cents').notNull(),
    detourMs: integer('detour_ms').notNull(),
    foundAt: instantColumn('found_at').notNull(),
    /** Since when the order fits no longer; it may again, when seats become free. */
    goneAt: instantColumn('gone_at'),
    readAt: instantColumn('read_at'),
    /** When its owner was notified by email or push message, or had the hit on the screen. */
    emailedAt: instantColumn('emailed_at'),
  },
  (t) => [
    uniqueIndex('alert_hits_ride').on(t.alertId, t.rideId),
    uniqueIndex('alert_hits_request').on(t.alertId, t.requestId),
    // Those that stand: orders that are over have gone.
    index('alert_hits_standing')
      .on(t.alertId, t.id)
      .where(sql`gone_at is null`),
    index('alert_hits_of_ride').on(t.rideId),
    index('alert_hits_of_request').on(t.requestId),
    index('alert_hits_unlettered')
      .on(t.alertId)
      .where(sql`emailed_at is null and read_at is null`),
    check('alert_hits_one_order', sql`num_nonnulls(ride_id, request_id) = 1`),
  ],
);
