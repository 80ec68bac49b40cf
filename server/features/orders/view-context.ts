import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { vehiclesById } from '../drivers/service.ts';
import { trafficPermilleAt, approximatePlace } from '../geo/service.ts';
import { peopleWithDetails, peopleFrom, type PersonRow } from '../identity/service.ts';
import { betweenRounded, plansFrom, tellBooking, type Told } from '../matching/service.ts';
import { paymentsOfBookings } from '../payments/service.ts';
import { withWindow } from './aggregate/stops.ts';
import { ordersAround } from './around/store.ts';
import { brokenBookingsOf, brokenRidesByIds } from './interrupted/store.ts';
import { contactsOf } from './reports/contacts.ts';
import * as store from './store.ts';
import { questionsOf } from './unclear/store.ts';
import type { ViewContext } from './view.ts';

/**
 * Reads everything that the views of these orders need, as far as the viewer may see it; null is a guest. It
 * reads what is committed: nothing that a transaction of the caller has written.
 */
export async function loadViewContext(
  app: App,
  of: OrderRows,
  viewerId: string | null,
): Promise<ViewContext> {
  const { db, clock, ports } = app;
  const rows = await viewRows(app, of, viewerId);
  const { rides, requests, bookings } = rows;
  const orders = [...rides.values(), ...requests.values()];
  const [people, eventNames, reviewed, payments, interrupted, questions] = await Promise.all([
    loadPeople(app, rows),
    ports.orders.eventNames(
      orders.flatMap(({ eventId }) => eventId ?? []),
      viewerId,
    ),
    viewerId === null
      ? new Set<string>()
      : ports.orders.reviewedBy(
          db,
          viewerId,
          // A passenger who has not ridden to the end has nothing to review.
          bookings.flatMap(({ id, state }) => (state === 'finished' ? [id] : [])),
        ),
    loadPayments(app, bookings, viewerId),
    loadInterrupted(db, rides),
    questionsOf(db, {
      bookingIds: bookings.flatMap(({ id, unclearAt }) => (unclearAt === null ? [] : [id])),
    }),
  ]);
  return {
    viewerId,
    now: clock.now(),
    told: toldOf(app, rows, viewerId),
    betweenRounded: (from, to) => betweenRounded(app, from, to),
    trafficPermilleAt: (from, at) => trafficPermilleAt(app, from, at),
    ...people,
    eventNames,
    reviewed,
    payments,
    ...interrupted,
    questions: new Map(questions.map((row) => [row.bookingId, row])),
    rides: new Map(rides),
    requests: new Map(requests),
    stops: Map.groupBy(rows.stops, (stop) => stop.rideId),
    bookingsByRide: rows.bookingsByRide,
    bookingsByRequest: rows.bookingsByRequest,
    changes: new Map(rows.changes.map((each) => [each.change.rideId, each])),
    waitingByRide: Map.groupBy(rows.waiting, (each) => each.rideId),
    approximate: (place) => approximatePlace(app, place),
  };
}

/** Drivers and passengers with the contact data that may be shown, and the drivers' cars. */
async function loadPeople(
  app: App,
  { rides, requests, people: known }: Rows,
): Promise<Pick<ViewContext, 'people' | 'phones' | 'emails' | 'vehicles'>> {
  const ids = [
    ...new Set([
      ...[...rides.values()].map(({ driverId }) => driverId),
      ...[...requests.values()].map(({ passengerId }) => passengerId),
    ]),
  ];
  const [{ people, details }, cars] = await Promise.all([
    known === null ? peopleWithDetails(app, ids) : peopleFrom(known),
    vehiclesById(
      app,
      [...rides.values()].flatMap(({ vehicleId }) => vehicleId ?? []),
    ),
  ]);
  return {
    people,
    phones: new Map(
      [...details].map(([id, { phone, phoneVerified, phoneSeenBy }]) => [
        id,
        // An unverified number may be a stranger's.
        phoneVerified && phoneSeenBy !== 'nobody' ? phone : '',
      ]),
    ),
    emails: new Map([...details].map(([id, { email }]) => [id, email])),
    vehicles: cars,
  };
}

/**
 * The payments of the viewer's own bookings; no payment of another person's booking is shown. An ask or
 * invitation that is not answered has none.
 */
function loadPayments(
  app: App,
  bookings: readonly store.BookingRow[],
  viewerId: string | null,
): Promise<ViewContext['payments']> {
  const own = bookings
    .filter(
      ({ passengerId, driverId, state }) =>
        (viewerId === passengerId || viewerId === driverId) && state !== 'requesting' && state !== 'inviting',
    )
    .map(({ id, passengerId }) => ({
      id,
      side: viewerId === passengerId ? ('passenger' as const) : ('driver' as const),
    }));
  return paymentsOfBookings(app, app.db, own);
}

/** Rides that ended on the way, and what was ridden of them. */
async function loadInterrupted(
  db: Db,
  rides: Rows['rides'],
): Promise<Pick<ViewContext, 'interruptedRides' | 'interruptedBookings'>> {
  const ids = [...rides.values()].filter(({ state }) => state === 'cancel').map(({ id }) => id);
  const [ended, ridden] = await Promise.all([brokenRidesByIds(db, ids), brokenBookingsOf(db, ids)]);
  return {
    interruptedRides: new Map(ended.map((row) => [row.rideId, row])),
    interruptedBookings: new Map(ridden.map((row) => [row.bookingId, row])),
  };
}

/** The rounded figures of unjoined bookings: the viewer's own, or those of the viewer's rides. */
function toldOf(
  app: App,
  { rides, requests, bookings, stops }: Rows,
  viewerId: string | null,
): Map<string, Told> {
  const untold = bookings.filter(
    ({ joinedAt, passengerId, driverId }) =>
      joinedAt === null && (passengerId === viewerId || driverId === viewerId),
  );
  const ofRides = [...new Set(untold.map(({ rideId }) => rideId))].map((id) => rides.get(id)!);
  const booked = new Map(bookings.map((booking) => [booking.id, booking]));
  const windows = stops.map((stop) => {
    const booking = stop.bookingId === null ? undefined : booked.get(stop.bookingId);
    const request = booking === undefined ? undefined : requests.get(booking.requestId);
    return withWindow(stop, booking, request);
  });
  const plans = plansFrom(ofRides, windows);
  return new Map(
    untold.map((booking) => {
      const side = booking.driverId === viewerId ? 'driver' : 'passenger';
      const request = requests.get(booking.requestId)!;
      return [booking.id, tellBooking(app, side, plans.get(booking.rideId)!, { request, booking })];
    }),
  );
}

interface OrderRows {
  rides: readonly store.RideRow[];
  requests: readonly store.RequestRow[];
  /** Bookings of these that are viewed instead of them, however long they have ended. */
  bookingIds?: readonly string[];
}

/** Rides and requests, and the related orders, bookings, stops, changes and waitlists of their views. */
interface Rows {
  rides: ReadonlyMap<string, store.RideRow>;
  requests: ReadonlyMap<string, store.RequestRow>;
  bookings: readonly store.BookingRow[];
  bookingsByRide: Map<string, store.BookingRow[]>;
  bookingsByRequest: Map<string, store.BookingRow[]>;
  stops: store.StopRow[];
  changes: Awaited<ReturnType<typeof store.openChanges>>;
  waiting: store.WaitRow[];
  /** Drivers and passengers; null where they are still to be read. */
  people: readonly PersonRow[] | null;
}

/** Reads the rows of the views: of a request its bookings and their rides, of a ride all its rows. */
async function viewRows(
  app: App,
  { rides: rideRows, requests: requestRows, bookingIds = [] }: OrderRows,
  viewerId: string | null,
): Promise<Rows> {
  if (rideRows.length + requestRows.length === 0) return noRows;
  const { db, kept } = app;
  const requestIds = requestRows.map(({ id }) => id);
  const rideIds = rideRows.map(({ id }) => id);
  const around = await ordersAround(kept, { rideIds, requestIds, bookingIds, viewerId });
  const [bookings, changes] = await Promise.all([
    contactsOf(app, db, around.bookings),
    store.openChanges(db, around.changingIds),
  ]);
  const isOwn = new Set(requestIds);
  const ofRequests = bookings.filter(({ requestId }) => isOwn.has(requestId));
  return {
    rides: new Map([...rideRows, ...around.rides].map((row) => [row.id, row])),
    requests: new Map([...requestRows, ...around.requests].map((row) => [row.id, row])),
    bookings,
    bookingsByRide: Map.groupBy(bookings, ({ rideId }) => rideId),
    bookingsByRequest: Map.groupBy(ofRequests, ({ requestId }) => requestId),
    stops: around.stops,
    changes,
    waiting: around.waiting,
    people: around.people,
  };
}

const noRows: Rows = {
  rides: new Map(),
  requests: new Map(),
  bookings: [],
  bookingsByRide: new Map(),
  bookingsByRequest: new Map(),
  stops: [],
  changes: [],
  waiting: [],
  people: [],
};
