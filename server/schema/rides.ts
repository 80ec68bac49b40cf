import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { changeStates } from '#contract/rides/changes.ts';
import type { RecurringOrder } from '#contract/rides/recurring.ts';
import {
  actors,
  bookingAwaits,
  bookingStates,
  breakOffKinds,
  brokenPlaces,
  reachEvidence,
  requestStates,
  rideStates,
  type BookingState,
  type RequestState,
  type RideState,
} from '#contract/rides/moves.ts';
import type { Place } from '#contract/units.ts';
import { deletedWith, instantColumn, placeColumns, preferenceColumns, regionColumn } from './columns.ts';
import { events } from './events.ts';
import { users } from './identity.ts';
import { vehicles } from './vehicles.ts';

/** A place on the road within a walk of a passenger's own one, as it was when the request was published. */
export interface StoredSpot {
  lon: number;
  lat: number;
  walkMetres: number;
  /** The street; empty where it has no name. */
  name: string;
}

/** Another route that a driver proposes, with its drive without passengers. */
export interface StoredWay {
  from: Place;
  via: Place[];
  to: Place;
  timeZone: string;
  estimated: boolean;
  /** The duration of its drives, in permille of a free road. */
  trafficPermille: number;
  driveMs: number;
  driveMetres: number;
}

/** One stop of the whole route that those on board are asked to agree to; of the columns of `ride_stops`. */
export interface StoredRouteStop {
  kind: 'start' | 'via' | 'pickup' | 'dropoff' | 'end';
  bookingId: string | null;
  lon: number;
  lat: number;
  standsMs: number;
  toNextMs: number;
  toNextMetres: number;
  seatsTaken: number;
}

const tstzrange = customType<{ data: string }>({ dataType: () => 'tstzrange' });

// Called once for each table, because a column builder belongs to one table.
const orderColumns = () => ({
  id: uuid('id').primaryKey(),
  orderNumber: text('order_number').notNull().unique(),
  version: integer('version').notNull().default(1),
  ...regionColumn(),
  ...placeColumns('from'),
  ...placeColumns('to'),
  timeZone: text('time_zone').notNull(),
  /** Some part of the way lies beyond the loaded roads. */
  estimated: boolean('estimated').notNull(),
  /** The way from `from` to `to` alone, the driver's own stops on it included. */
  driveMs: integer('drive_ms').notNull(),
  driveMetres: integer('drive_metres').notNull(),
  seats: integer('seats').notNull(),
  visibility: text('visibility', { enum: ['all users', 'all contacts', 'tags', 'private'] }).notNull(),
  tagIds: uuid('tag_ids')
    .array()
    .notNull()
    .default(sql`'{}'::uuid[]`),
  note: text('note').notNull().default(''),
  contactWith: text('contact_with', { enum: ['phone', 'email', 'chat'] }).notNull(),
  ...preferenceColumns(),
  flightNumber: text('flight_number').notNull().default(''),
  /** Shared by the way there and the way back, planned in one go. */
  pairId: uuid('pair_id'),
  /** The series whose day this is. */
  recurringId: uuid('recurring_id').references(() => recurringRides.id, { onDelete: 'set null' }),
  createdAt: instantColumn('created_at').notNull(),
});

/**
 * A ride or request that comes back every week; its days are orders of their own, published ahead by the
 * clock.
 */
export const recurringRides = pgTable(
  'recurring_rides',
  {
    id: uuid('id').primaryKey(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    state: text('state', { enum: ['running', 'ended'] }).notNull(),
    /** As entered, without its time. */
    template: jsonb('template').$type<RecurringOrder>().notNull(),
    timeZone: text('time_zone').notNull(),
    /** ISO days of the week; the time by the clocks of the departure place, `07:15`. */
    weekdays: integer('weekdays').array().notNull(),
    localTime: text('local_time').notNull(),
    /** Calendar days of the departure place, `2026-11-24`. */
    fromDay: text('from_day').notNull(),
    untilDay: text('until_day').notNull(),
    /** Shared by the series of the way there and of the way back. */
    pairId: uuid('pair_id'),
    /**
     * How many days after a day of this series the day of the other one comes that belongs to it: 1 and -1
     * where the way back is after midnight.
     */
    pairedDaysLater: integer('paired_days_later').notNull().default(0),
    /** When there is something to do: the next day to publish, or the end; null once it has ended. */
    dueAt: instantColumn('due_at'),
    createdAt: instantColumn('created_at').notNull(),
    endedAt: instantColumn('ended_at'),
  },
  (t) => [
    index('recurring_rides_owner').on(t.ownerId),
    index('recurring_rides_pair').on(t.pairId),
    index('recurring_rides_due')
      .on(t.dueAt)
      .where(sql`state = 'running'`),
  ],
);

/** The outcome of one day of a series. A day that has a row is never published again by the clock. */
export const recurringDays = pgTable(
  'recurring_days',
  {
    recurringId: deletedWith('recurring_id', () => recurringRides.id).notNull(),
    day: text('day').notNull(),
    outcome: text('outcome', { enum: ['published', 'skipped', 'refused'] }).notNull(),
    /** The ride or request of that day. */
    orderId: uuid('order_id'),
    /** Edited by itself, and left alone by edits of the series. */
    edited: boolean('edited').notNull().default(false),
    /** Why it could not be published. */
    reason: text('reason').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.recurringId, t.day] }), index('recurring_days_order').on(t.orderId)],
);

/**
 * The link to an order, for those whom its circle does not reach. The code follows from the id and the app's
 * key (`seals.derive`): its owner can be shown it again, while the table holds a hash alone.
 */
export const shareLinks = pgTable(
  'share_links',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id').notNull().unique(),
    ownerId: deletedWith('owner_id', () => users.id).notNull(),
    codeHash: text('code_hash').notNull().unique(),
    /** Of the short code of the same link. */
    shortHash: text('short_hash').notNull().unique(),
    madeAt: instantColumn('made_at').notNull(),
  },
  (t) => [index('share_links_owner').on(t.ownerId)],
);

/**
 * People who have opened the link to an order, and may see it like those in its audience; ends with the link.
 */
export const orderGrants = pgTable(
  'order_grants',
  {
    orderId: uuid('order_id').notNull(),
    personId: deletedWith('person_id', () => users.id).notNull(),
    linkId: deletedWith('link_id', () => shareLinks.id).notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.personId] }),
    index('order_grants_person').on(t.personId),
    index('order_grants_link').on(t.linkId),
  ],
);

export const rides = pgTable(
  'rides',
  {
    ...orderColumns(),
    eventId: uuid('event_id').references(() => events.id, { onDelete: 'set null' }),
    state: text('state', { enum: rideStates }).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    vehicleId: uuid('vehicle_id').references(() => vehicles.id),
    /** The earliest and latest instant the driver is willing to leave. */
    earliestDepartsAt: instantColumn('earliest_departs_at').notNull(),
    latestDepartsAt: instantColumn('latest_departs_at').notNull(),
    /** The departure agreed with those on board, within the two above. */
    departsAt: instantColumn('departs_at').notNull(),
    arrivesAt: instantColumn('arrives_at').notNull(),
    priceKind: text('price_kind', { enum: ['perPerson', 'perCar'] }).notNull(),
    costCents: integer('cost_cents').notNull(),
    /**
     * The duration of its drives, in permille of a free road: of the hour of its earliest departure, where it
     * begins.
     */
    trafficPermille: integer('traffic_permille').notNull().default(1000),
    maxDetourMs: integer('max_detour_ms').notNull(),
    /** Stops on the way, in their order: those of `ride_stops` whose kind is `via`. */
    via: jsonb('via').$type<Place[]>().notNull().default([]),
    /** How many of them the driver has left, on the day. */
    viaPassed: integer('via_passed').notNull().default(0),
    /** A passenger who asks and fits joins at once, without the driver's answer. */
    instant: boolean('instant').notNull().default(false),
    /** Since when both sides are asked what became of it (`orders/unclear`). */
    unclearAt: instantColumn('unclear_at'),
    reachedAt: instantColumn('reached_at'),
    reachedBy: text('reached_by', { enum: reachEvidence }),
    departedAt: instantColumn('departed_at'),
    endedAt: instantColumn('ended_at'),
    /**
     * When the clock checks the ride next; null for none. A trigger writes it with the columns that it
     * follows from (`ride_next_at`, decision 0074).
     */
    nextAt: instantColumn('next_at'),
  },
  (t) => [
    // The second column tells rides that are still to leave from those that are over, without their rows.
    index('rides_due')
      .on(t.nextAt, t.latestDepartsAt)
      .where(sql`next_at is not null`),
    index('rides_driver').on(t.driverId, t.departsAt),
    index('rides_joinable')
      .on(t.departsAt)
      .where(sql`state in ('matching', 'waiting')`),
    index('rides_cells')
      .on(sql`(floor(from_lon / 0.3)::int)`, sql`(floor(from_lat / 0.3)::int)`, t.departsAt)
      .where(sql`state = 'matching'`),
    index('rides_asked')
      .on(t.driveMetres)
      .where(sql`state = 'matching' and cost_cents > 0`),
    index('rides_of_driver_open')
      .on(t.driverId, t.departsAt)
      .where(sql`state not in ('finished', 'cancel', 'expired')`),
    index('rides_vehicle_open')
      .on(t.vehicleId)
      .where(sql`state not in ('finished', 'cancel', 'expired')`),
    index('rides_event').on(t.eventId),
    index('rides_pair').on(t.pairId),
    index('rides_series').on(t.recurringId),
    check('rides_seats', sql`seats between 1 and 8`),
    check('rides_cost', sql`cost_cents >= 0`),
    check('rides_traffic', sql`traffic_permille between 1000 and 2000`),
    check('rides_via', sql`via_passed between 0 and jsonb_array_length(via)`),
  ],
);

/**
 * The agreed route, in order: where the car stops, for whom, and when. Leg `position` runs from stop
 * `position` to the next.
 */
export const rideStops = pgTable(
  'ride_stops',
  {
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    position: integer('position').notNull(),
    kind: text('kind', { enum: ['start', 'via', 'pickup', 'dropoff', 'end'] }).notNull(),
    bookingId: uuid('booking_id'),
    lon: doublePrecision('lon').notNull(),
    lat: doublePrecision('lat').notNull(),
    at: instantColumn('at').notNull(),
    /** How long the car waits here: boarding, and until the agreed time. */
    standsMs: integer('stands_ms').notNull(),
    /** Driving time and metres from here to the next stop; 0 at the last. */
    toNextMs: integer('to_next_ms').notNull(),
    toNextMetres: integer('to_next_metres').notNull(),
    /** Seats taken from here to the next stop. */
    seatsTaken: integer('seats_taken').notNull().default(0),
    seats: integer('seats').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.rideId, t.position] }),
    check('ride_stops_seats_taken', sql`seats_taken between 0 and seats`),
  ],
);

export const requests = pgTable(
  'requests',
  {
    ...orderColumns(),
    eventId: uuid('event_id').references(() => events.id, { onDelete: 'set null' }),
    state: text('state', { enum: requestStates }).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    earliestAt: instantColumn('earliest_at').notNull(),
    latestAt: instantColumn('latest_at').notNull(),
    arriveBy: instantColumn('arrive_by').notNull(),
    /** Per person; null leaves it open. */
    offerCents: integer('offer_cents'),
    walkMetres: integer('walk_metres').notNull(),
    /**
     * Meeting points near both ends, nearest first, some of them beyond the walk: those serve near misses.
     */
    pickupMeetingPoints: jsonb('pickup_meeting_points').$type<readonly StoredSpot[]>().notNull().default([]),
    dropoffMeetingPoints: jsonb('dropoff_meeting_points')
      .$type<readonly StoredSpot[]>()
      .notNull()
      .default([]),
    /** Another number with each change of the meeting points, which the database draws; 0 before any. */
    meetingPointsVersion: bigint('meeting_points_version', { mode: 'number' }).notNull().default(0),
    endedAt: instantColumn('ended_at'),
  },
  (t) => [
    index('requests_passenger').on(t.passengerId, t.earliestAt),
    index('requests_open')
      .on(t.earliestAt)
      .where(sql`state in ('matching', 'requesting', 'inviting')`),
    index('requests_due')
      .on(t.latestAt)
      .where(sql`state in ('matching', 'requesting', 'inviting')`),
    index('requests_cells_times')
      .on(sql`(floor(from_lon / 0.3)::int)`, sql`(floor(from_lat / 0.3)::int)`, t.earliestAt, t.latestAt)
      .where(sql`state in ('matching', 'requesting', 'inviting')`),
    index('requests_of_passenger_open')
      .on(t.passengerId, t.earliestAt)
      .where(sql`state not in ('finished', 'missed', 'cancel', 'expired')`),
    index('requests_event').on(t.eventId),
    index('requests_pair').on(t.pairId),
    index('requests_series').on(t.recurringId),
    check('requests_seats', sql`seats between 1 and 8`),
    check('requests_window', sql`earliest_at <= latest_at and latest_at <= arrive_by`),
  ],
);

export const bookings = pgTable(
  'bookings',
  {
    id: uuid('id').primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    requestId: deletedWith('request_id', () => requests.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    ...regionColumn(),
    state: text('state', { enum: bookingStates }).notNull(),
    version: integer('version').notNull().default(1),
    startedBy: text('started_by', { enum: ['driver', 'passenger'] }).notNull(),
    /** The reason of `waiting for passenger acceptance`; null in any other state. */
    awaits: text('awaits', { enum: bookingAwaits }),
    seats: integer('seats').notNull(),
    pickupLon: doublePrecision('pickup_lon').notNull(),
    pickupLat: doublePrecision('pickup_lat').notNull(),
    dropoffLon: doublePrecision('dropoff_lon').notNull(),
    dropoffLat: doublePrecision('dropoff_lat').notNull(),
    pickupWalkMetres: integer('pickup_walk_metres').notNull(),
    dropoffWalkMetres: integer('dropoff_walk_metres').notNull(),
    /** How long the walk to a meeting point takes; 0 at the passenger's own door. */
    pickupWalkMs: integer('pickup_walk_ms').notNull().default(0),
    dropoffWalkMs: integer('dropoff_walk_ms').notNull().default(0),
    /** The street of a meeting point. */
    pickupName: text('pickup_name').notNull().default(''),
    dropoffName: text('dropoff_name').notNull().default(''),
    pickupAt: instantColumn('pickup_at').notNull(),
    dropoffAt: instantColumn('dropoff_at').notNull(),
    /**
     * The whole share for all seats: the most it may come to, and once the ride has ended what it came to.
     */
    fareCents: integer('fare_cents').notNull(),
    /** The passenger's debt for canceling late or not coming; null where neither happened. */
    lateFeeCents: integer('late_fee_cents'),
    detourMs: integer('detour_ms').notNull(),
    detourMetres: integer('detour_metres').notNull(),
    message: text('message').notNull().default(''),
    reason: text('reason').notNull().default(''),
    expiresAt: instantColumn('expires_at'),
    joinedAt: instantColumn('joined_at'),
    /** Since when both sides are asked whether they rode (`orders/unclear`). */
    unclearAt: instantColumn('unclear_at'),
    reachedAt: instantColumn('reached_at'),
    reachedBy: text('reached_by', { enum: reachEvidence }),
    /** When the driver first tried to contact the passenger after reaching the pick-up. */
    contactedAt: instantColumn('contacted_at'),
    /**
     * When reminders check it next; null for none. A trigger makes it due where the passenger has joined or
     * the pick-up has moved, and takes it away where the booking is no longer to come (decision 0074).
     */
    remindAt: instantColumn('remind_at'),
    metBy: text('met_by', { enum: ['driver', 'passenger'] }),
    /** The side at fault that a joined booking was canceled or missed. */
    fault: text('fault', { enum: ['driver', 'passenger'] }),
    endedAt: instantColumn('ended_at'),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    index('bookings_of_ride').on(t.rideId, t.createdAt, t.id),
    // The bookings that count in a view of the ride, however many asks have come to nothing.
    index('bookings_of_ride_that_count')
      .on(t.rideId)
      .where(sql`ended_at is null or state in ('finished', 'missed') or late_fee_cents > 0`),
    index('bookings_request').on(t.requestId),
    index('bookings_of_passenger').on(t.passengerId, t.rideId, t.createdAt, t.id),
    index('bookings_driver').on(t.driverId),
    index('bookings_finished_of_driver')
      .on(t.driverId, t.endedAt)
      .where(sql`state = 'finished'`),
    index('bookings_finished_of_passenger')
      .on(t.passengerId, t.endedAt)
      .where(sql`state = 'finished'`),
    index('bookings_expiry')
      .on(t.expiresAt)
      .where(sql`state in ('requesting', 'inviting', 'waiting for passenger acceptance')`),
    uniqueIndex('bookings_open_pair')
      .on(t.rideId, t.requestId)
      .where(sql`state not in ('cancel', 'rejected', 'expired', 'missed', 'finished')`),
    index('bookings_remind')
      .on(t.remindAt)
      .where(sql`remind_at is not null`),
    index('bookings_soon')
      .on(t.pickupAt)
      .where(sql`state in ('joined', 'waiting')`),
    uniqueIndex('bookings_one_seat_per_request')
      .on(t.requestId)
      .where(sql`state in ('joined', 'waiting', 'driver reached', 'picking', 'picked')`),
  ],
);

/** The waitlist of full rides, in the order of `id`. A passenger who is offered a seat leaves it. */
export const waitlist = pgTable(
  'waitlist',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    requestId: deletedWith('request_id', () => requests.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    createdAt: instantColumn('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('waitlist_pair').on(t.rideId, t.requestId),
    index('waitlist_request').on(t.requestId),
    index('waitlist_passenger').on(t.passengerId),
  ],
);

/** Another time, price or way that a driver proposes to those on board; at most one is open for a ride. */
export const changeProposals = pgTable(
  'change_proposals',
  {
    id: uuid('id').primaryKey(),
    rideId: deletedWith('ride_id', () => rides.id).notNull(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    state: text('state', { enum: changeStates }).notNull(),
    departsAt: instantColumn('departs_at').notNull(),
    costCents: integer('cost_cents').notNull(),
    /** Null where the way stays; then `route` is null too. */
    way: jsonb('way').$type<StoredWay>(),
    /** The route with all who were on board when it was proposed: what they are shown is what they get. */
    route: jsonb('route').$type<StoredRouteStop[]>(),
    note: text('note').notNull().default(''),
    createdAt: instantColumn('created_at').notNull(),
    expiresAt: instantColumn('expires_at').notNull(),
    endedAt: instantColumn('ended_at'),
    /** When the clock checks it: at its end, or at once where a move may have decided it. */
    nextAt: instantColumn('next_at').notNull(),
  },
  (t) => [
    index('change_proposals_due')
      .on(t.nextAt)
      .where(sql`state = 'open'`),
    index('change_proposals_ride').on(t.rideId),
    index('change_proposals_driver').on(t.driverId),
    uniqueIndex('change_proposals_open')
      .on(t.rideId)
      .where(sql`state = 'open'`),
    check('change_proposals_way', sql`(way is null) = (route is null)`),
  ],
);

/** Each passenger's answer to a proposal. */
export const changeAnswers = pgTable(
  'change_answers',
  {
    proposalId: deletedWith('proposal_id', () => changeProposals.id).notNull(),
    bookingId: deletedWith('booking_id', () => bookings.id).notNull(),
    passengerId: deletedWith('passenger_id', () => users.id).notNull(),
    accepted: boolean('accepted').notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.proposalId, t.bookingId] }),
    index('change_answers_passenger').on(t.passengerId),
  ],
);

/** Every order number ever given out; one is never given twice. */
export const orderNumbers = pgTable('order_numbers', {
  number: text('number').primaryKey(),
});

/** The span of time in which a person is taken by an open order; two of one person never overlap. */
export const orderSpans = pgTable(
  'order_spans',
  {
    orderId: uuid('order_id').primaryKey(),
    personId: deletedWith('person_id', () => users.id).notNull(),
    during: tstzrange('during').notNull(),
  },
  (t) => [index('order_spans_person').on(t.personId)],
);

/** A ride that ended on the way: why, and where as far as that is known. */
export const interruptedRides = pgTable(
  'interrupted_rides',
  {
    rideId: deletedWith('ride_id', () => rides.id).primaryKey(),
    driverId: deletedWith('driver_id', () => users.id).notNull(),
    by: text('by', { enum: ['driver', 'admin'] }).notNull(),
    kind: text('kind', { enum: breakOffKinds }).notNull(),
    words: text('words').notNull().default(''),
    source: text('source', { enum: brokenPlaces }).notNull(),
    lon: doublePrecision('lon').notNull(),
    lat: doublePrecision('lat').notNull(),
    place: text('place').notNull(),
    at: instantColumn('at').notNull(),
  },
  (t) => [index('interrupted_rides_at').on(t.at), index('interrupted_rides_driver').on(t.driverId, t.at)],
);

/** How far a passenger who was on board has ridden, and the part of their share that is due for it. */
export const interruptedBookings = pgTable(
  'interrupted_bookings',
  {
    bookingId: deletedWith('booking_id', () => bookings.id).primaryKey(),
    rideId: deletedWith('ride_id', () => interruptedRides.rideId).notNull(),
    riddenMetres: integer('ridden_metres').notNull(),
    routeMetres: integer('route_metres').notNull(),
    shareCents: integer('share_cents').notNull(),
    /** An admin's decision instead, and its reason. */
    decidedCents: integer('decided_cents'),
    note: text('note').notNull().default(''),
  },
  (t) => [
    index('interrupted_bookings_ride').on(t.rideId),
    check('interrupted_bookings_metres', sql`ridden_metres between 0 and route_metres`),
    check('interrupted_bookings_decided', sql`decided_cents between 0 and share_cents`),
  ],
);

/** Every move of every ride, request and booking: the timeline. */
export const moveHistory = pgTable(
  'move_history',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    thing: text('thing', { enum: ['ride', 'request', 'booking'] }).notNull(),
    thingId: uuid('thing_id').notNull(),
    rideId: uuid('ride_id'),
    requestId: uuid('request_id'),
    move: text('move').notNull(),
    fromState: text('from_state'),
    toState: text('to_state').$type<RideState | RequestState | BookingState>().notNull(),
    actor: text('actor', { enum: actors }).notNull(),
    actorId: uuid('actor_id'),
    note: text('note').notNull().default(''),
    at: instantColumn('at').notNull(),
  },
  (t) => [
    index('move_history_ride').on(t.rideId),
    index('move_history_request').on(t.requestId),
    index('move_history_at').on(t.at),
    index('move_history_admin')
      .on(t.actorId)
      .where(sql`actor = 'admin'`),
  ],
);
