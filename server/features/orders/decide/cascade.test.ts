import { expect, test } from 'vitest';
import type { BookingState, RequestState, RideState } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { createRoadTimes } from '../../matching/road-times.ts';
import { guessedTravel } from '../../matching/rules/rounding.ts';
import { Orders } from '../aggregate/orders.ts';
import { bookingRows, requestRows, rideRows, type StopRow, type WaitRow } from '../aggregate/store.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import { settleRequest, settleRide } from './cascade.ts';

// The cascade is a fixpoint over orders in memory: this file has no database.

const now = new Date('2027-03-01T12:00:00Z');
const start = { lon: -122.03, lat: 36.97 };
const end = { lon: -121.9, lat: 36.97 };
const alone = guessedTravel(start, end);
const times = createRoadTimes(
  { pointAt: () => null } as unknown as Parameters<typeof createRoadTimes>[0],
  () => [],
);
const app = {
  clock: { now: () => now },
  env: { WAITLIST_OFFER_MINUTES: 30, MAX_TRANSACTION_CENTS: 100_000, DISPUTE_HOURS: 48 },
  // As the crow flies: no roads are loaded.
  matching: { roads: { ...times, drivesOf: times.drivesOrGuesses, foundTravel: guessedTravel } },
} as unknown as App;

interface Case {
  ride?: { state?: RideState; departsInMs?: number; seats?: number; seatsTaken?: number };
  /** A booking of the ride and a request each; `other` is of another ride that is not locked. */
  bookings: {
    state: BookingState;
    request: RequestState;
    fault?: 'driver' | 'passenger';
    other?: boolean;
    /** It is one more of the request of the booking before. */
    same?: boolean;
  }[];
  /** Requests on the waitlist, in its order. */
  waiting?: { request: RequestState; isBlocked?: boolean; seats?: number }[];
  suspended?: number;
}

const ended: readonly BookingState[] = ['cancel', 'expired', 'rejected', 'finished', 'missed'];

function rideOf({ state = 'matching', departsInMs = dayMs, seats = 3 }: Case['ride'] = {}): RideRow {
  const departsAt = later(now, departsInMs);
  return rideRows.complete({
    ...preferences,
    id: 'ride',
    driverId: 'driver',
    state,
    seats,
    departsAt,
    earliestDepartsAt: departsAt,
    latestDepartsAt: later(departsAt, hourMs),
    arrivesAt: later(departsAt, hourMs),
    driveMs: alone.milliseconds,
    maxDetourMs: 10 * minuteMs,
    costCents: 0,
    priceKind: 'perPerson',
    nextAt: null,
    createdAt: now,
  });
}
const preferences = { pets: false, luggage: false, quiet: false, women: false, tagIds: [] };

const requestOf = (id: string, state: RequestState, seats = 1): RequestRow =>
  requestRows.complete({
    ...preferences,
    id,
    passengerId: `passenger of ${id}`,
    state,
    seats,
    fromLon: start.lon,
    fromLat: start.lat,
    toLon: end.lon,
    toLat: end.lat,
    earliestAt: later(now, dayMs - hourMs),
    latestAt: later(now, dayMs + 2 * hourMs),
    arriveBy: later(now, dayMs + 6 * hourMs),
    walkMetres: 500,
    driveMs: hourMs,
    offerCents: null,
    createdAt: now,
    pickupMeetingPoints: [],
    dropoffMeetingPoints: [],
  });

const bookingOf = (index: number, requestId: string, { state, fault, other }: Case['bookings'][number]) =>
  bookingRows.complete({
    id: `booking ${index}`,
    rideId: other === true ? 'another ride' : 'ride',
    requestId,
    driverId: 'driver',
    passengerId: `passenger of ${requestId}`,
    state,
    fareCents: 0,
    seats: 1,
    fault: fault ?? null,
    joinedAt: fault === undefined ? null : now,
    endedAt: ended.includes(state) ? now : null,
    pickupAt: later(now, dayMs),
    dropoffAt: later(now, dayMs + hourMs),
    pickupWalkMs: 0,
    dropoffWalkMs: 0,
    createdAt: later(now, index),
  });

const stopsOf = (ride: RideRow, seatsTaken: number): StopRow[] =>
  [start, end].map((at, position) => ({
    ...at,
    rideId: 'ride',
    position,
    kind: position === 0 ? 'start' : 'end',
    bookingId: null,
    at: later(ride.departsAt, position * hourMs),
    standsMs: 0,
    toNextMs: position === 0 ? alone.milliseconds : 0,
    toNextMetres: position === 0 ? alone.metres : 0,
    seatsTaken: position === 0 ? seatsTaken : 0,
    seats: ride.seats,
  }));

function ordersOf({ ride: of, bookings, waiting = [], suspended }: Case): Orders {
  const orders = new Orders();
  const ride = rideOf(of);
  const requests: RequestRow[] = [];
  const rows: BookingRow[] = [];
  for (const [index, booking] of bookings.entries()) {
    if (booking.same !== true) requests.push(requestOf(`request ${index}`, booking.request));
    rows.push(bookingOf(index, requests.at(-1)!.id, booking));
  }
  const waits = waiting.map(({ request, seats }, index) => requestOf(`waiting ${index}`, request, seats));
  const people = ['driver', ...[...requests, ...waits].map(({ passengerId }) => passengerId)];
  orders.read({
    orders: {
      rides: [ride],
      requests: [...requests, ...waits],
      bookings: rows,
      stops: stopsOf(ride, of?.seatsTaken ?? 0),
      waiting: waits.map(({ id, passengerId }, index): WaitRow => ({
        id: index,
        rideId: 'ride',
        requestId: id,
        passengerId,
        createdAt: now,
      })),
      spans: [...requests, ...waits].map(({ id, passengerId, earliestAt, latestAt }) => ({
        orderId: id,
        personId: passengerId,
        from: earliestAt.toISOString(),
        until: latestAt.toISOString(),
      })),
      changing: [],
    },
    people: people.map((id, index) => ({ id, isSuspended: index === suspended, isWoman: false })),
    blocks: waits.flatMap(({ passengerId }, index) =>
      waiting[index]!.isBlocked === true ? [['driver', passengerId] as [string, string]] : [],
    ),
    paid: [],
  });
  return orders;
}

/** The moves that the orders have made, in order: "ride fill", "booking 0 expire". */
const movesOf = (orders: Orders): string[] =>
  orders.takeChanges().emissions.flatMap(({ name, payload }) => {
    if (name === 'ride.moved') return [`ride ${(payload as { move: string }).move}`];
    if (name === 'request.moved') {
      const { requestId, move } = payload as { requestId: string; move: string };
      return [`${requestId} ${move}`];
    }
    const { bookingId, move } = payload as { bookingId: string; move: string };
    return name === 'booking.moved' ? [`${move === 'offer' ? 'a booking' : bookingId} ${move}`] : [];
  });

test.each<[string, Case, string[]]>([
  ['no booking: nothing moves', { bookings: [{ state: 'cancel', request: 'matching' }] }, []],
  ['an ask', { bookings: [{ state: 'requesting', request: 'matching' }] }, ['request 0 asked']],
  ['an invitation', { bookings: [{ state: 'inviting', request: 'matching' }] }, ['request 0 invited']],
  [
    'the passenger’s turn is shown before the driver’s',
    {
      bookings: [
        { state: 'requesting', request: 'requesting' },
        { state: 'inviting', request: 'requesting', same: true, other: true },
      ],
    },
    ['request 0 invited'],
  ],
  [
    'the last ask is over',
    { bookings: [{ state: 'rejected', request: 'requesting' }] },
    ['request 0 unanswered'],
  ],
  [
    'a passenger who joins takes back what they have asked elsewhere',
    {
      bookings: [
        { state: 'joined', request: 'requesting' },
        { state: 'requesting', request: 'requesting', same: true, other: true },
        { state: 'inviting', request: 'requesting', same: true, other: true },
      ],
    },
    ['request 0 join', 'booking 1 withdraw', 'booking 2 withdrawInvitation'],
  ],
  [
    'the driver canceled: the request is open again',
    { bookings: [{ state: 'cancel', request: 'joined', fault: 'driver' }] },
    ['request 0 rematch'],
  ],
  [
    'the driver canceled, and the passenger has an ask elsewhere: open and asked',
    {
      bookings: [
        { state: 'cancel', request: 'joined', fault: 'driver' },
        { state: 'requesting', request: 'joined', same: true, other: true },
      ],
    },
    ['request 0 rematch', 'request 0 asked'],
  ],
  [
    'the driver canceled on a suspended passenger: the request ends',
    { bookings: [{ state: 'cancel', request: 'joined', fault: 'driver' }], suspended: 1 },
    ['request 0 cancel'],
  ],
  [
    'the passenger canceled: the request ends',
    { bookings: [{ state: 'cancel', request: 'joined', fault: 'passenger' }] },
    ['request 0 cancel'],
  ],
  [
    'the passenger did not come: the request is missed',
    { bookings: [{ state: 'missed', request: 'joined', fault: 'passenger' }] },
    ['request 0 miss'],
  ],
  [
    'the passenger was driven',
    { bookings: [{ state: 'finished', request: 'joined' }] },
    ['request 0 finish'],
  ],
  [
    'a seat that waits for its payment again',
    { bookings: [{ state: 'waiting for passenger acceptance', request: 'joined' }] },
    ['request 0 reconfirm'],
  ],
])('a request: %s', (_, given, expected) => {
  const orders = ordersOf(given);
  settleRequest(app, orders, 'request 0');
  expect(movesOf(orders)).toEqual(expected);
  // It is a fixpoint: once more, nothing moves.
  settleRequest(app, orders, 'request 0');
  expect(movesOf(orders)).toEqual([]);
});

const joined = { state: 'joined', request: 'joined' } as const;

test.each<[string, Case, string[]]>([
  ['with free seats', { bookings: [joined], ride: { seatsTaken: 1 } }, []],
  [
    'the last seat is taken: it is full, and asks are over',
    {
      ride: { seats: 1, seatsTaken: 1 },
      bookings: [joined, { state: 'requesting', request: 'requesting' }],
    },
    ['ride fill', 'booking 1 expire', 'request 1 unanswered'],
  ],
  [
    'a seat is free again, and nobody waits',
    { ride: { state: 'full', seats: 2, seatsTaken: 1 }, bookings: [joined] },
    ['ride reopen'],
  ],
  [
    'a seat is free again: the first on the waitlist gets it',
    {
      ride: { state: 'full', seats: 1, seatsTaken: 0 },
      bookings: [],
      waiting: [{ request: 'matching' }, { request: 'matching' }],
    },
    ['a booking offer', 'waiting 0 invited'],
  ],
  [
    'who has blocked the driver, joined another ride or is too many is passed over',
    {
      ride: { state: 'full', seats: 2, seatsTaken: 0 },
      bookings: [],
      waiting: [
        { request: 'matching', isBlocked: true },
        { request: 'joined' },
        { request: 'matching', seats: 3 },
        { request: 'requesting', seats: 2 },
      ],
    },
    ['a booking offer', 'waiting 3 invited'],
  ],
  [
    'both seats are free again: one offer each, and the ride stays full',
    {
      ride: { state: 'full', seats: 2, seatsTaken: 0 },
      bookings: [],
      waiting: [{ request: 'matching' }, { request: 'matching' }],
    },
    ['a booking offer', 'waiting 0 invited', 'a booking offer', 'waiting 1 invited'],
  ],
  [
    'its day comes',
    { ride: { departsInMs: hourMs, seatsTaken: 1 }, bookings: [joined] },
    ['ride gather', 'booking 0 gather'],
  ],
  ['its day comes, and nobody has joined', { ride: { departsInMs: hourMs }, bookings: [] }, []],
  [
    'on its day the last passenger cancels',
    { ride: { state: 'waiting', departsInMs: hourMs }, bookings: [{ state: 'cancel', request: 'cancel' }] },
    ['ride ungather'],
  ],
  [
    'a passenger joins while the driver is at the start',
    { ride: { state: 'driver reached', departsInMs: 0, seatsTaken: 1 }, bookings: [joined] },
    ['booking 0 gather'],
  ],
  [
    'on the way to a passenger',
    {
      ride: { state: 'departed', departsInMs: -minuteMs },
      bookings: [{ state: 'picking', request: 'joined' }],
    },
    ['ride approach'],
  ],
  [
    'all are on board',
    {
      ride: { state: 'picking', departsInMs: -minuteMs },
      bookings: [{ state: 'picked', request: 'joined' }],
    },
    ['ride carryOn'],
  ],
])('a ride: %s', (_, given, expected) => {
  const orders = ordersOf(given);
  settleRide(app, orders, 'ride');
  expect(movesOf(orders)).toEqual(expected);
  settleRide(app, orders, 'ride');
  expect(movesOf(orders)).toEqual([]);
});
