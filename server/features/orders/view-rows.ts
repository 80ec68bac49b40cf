import { failedStates } from '#contract/rides/moves.ts';
import type { PersonRow } from '../identity/service.ts';
import {
  counts,
  mostOfOrder,
  ordersAround,
  ordersBeside,
  shownOf,
  type OrdersBeside,
} from './around/store.ts';
import type { ReadContext } from './context.ts';
import { contactsOf } from './reports/contacts.ts';
import * as store from './store.ts';
import { byAge, type OrderUnit } from './unit/order-unit.ts';

export interface OrderRows {
  rides: readonly store.RideRow[];
  requests: readonly store.RequestRow[];
  /** Bookings of these that are viewed instead of them, however long they have ended. */
  bookingIds?: readonly string[];
}

/** Rides and requests, and the related orders, bookings, stops, changes and waitlists of their views. */
export interface Rows {
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

/**
 * The rows of views, as far as they are held, else read.
 * @param held what a transaction that has just ended held of them
 */
export const viewRows = async (
  context: ReadContext,
  of: OrderRows,
  viewerId: string | null,
  held: OrderUnit | null,
): Promise<Rows> =>
  (held === null ? null : await heldRows(context, held, of, viewerId)) ??
  (await loadRows(context, of, viewerId));

/** Reads the rows of the views: of a request its bookings and their rides, of a ride all its rows. */
async function loadRows(
  { chat, platform: { db, kept } }: ReadContext,
  { rides: rideRows, requests: requestRows, bookingIds = [] }: OrderRows,
  viewerId: string | null,
): Promise<Rows> {
  if (rideRows.length + requestRows.length === 0) return noRows;
  const requestIds = requestRows.map(({ id }) => id);
  const rideIds = rideRows.map(({ id }) => id);
  const around = await ordersAround(kept, { rideIds, requestIds, bookingIds, viewerId });
  const [bookings, changes] = await Promise.all([
    contactsOf({ db, chat }, around.bookings),
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

const nothing: OrdersBeside = { bookings: [], rides: [], requests: [], stops: [], waiting: [], people: [] };

/** What is held of the orders of a view, and who views them. */
interface HeldView {
  held: OrderUnit;
  of: OrderRows;
  viewerId: string | null;
  ofRequests: store.BookingRow[];
}

const ridesOf = (rows: readonly { rideId: string }[]): string[] => [
  ...new Set(rows.map(({ rideId }) => rideId)),
];

/**
 * The same from what a transaction held. What it did not is read: bookings of others on the rides that have
 * ended, and asks of the requests on other rides that came to nothing. Null where more has to be read.
 */
async function heldRows(
  { platform: { kept } }: ReadContext,
  held: OrderUnit,
  of: OrderRows,
  viewerId: string | null,
): Promise<Rows | null> {
  const requestIds = of.requests.map(({ id }) => id);
  const ofRequests = held.bookingsOfRequests(requestIds);
  if (ofRequests === null || !suffices(held, ofRequests)) return null;
  if (of.rides.some(({ id }) => held.isChanging(id) !== false)) return null;
  const areRidesViewed = of.bookingIds === undefined;
  // A driver is shown everyone on the ride.
  if (areRidesViewed && of.rides.some(({ driverId }) => driverId !== viewerId)) return null;
  const rideIds = areRidesViewed ? of.rides.flatMap(({ id }) => (held.isNew(id) ? [] : [id])) : [];
  const partly = requestIds.filter((id) => !held.knowsAllRidesOf([id]));
  const near = ridesOf([...ofRequests, ...requestIds.flatMap((id) => held.waitsOf(id)!)]);
  const [heldRideIds, otherRideIds] = [true, false].map((isHeld) =>
    near.filter((id) => (held.stops(id) !== null) === isHeld),
  ) as [string[], string[]];
  const isAllHeld = rideIds.length + partly.length + otherRideIds.length === 0;
  const heldBookings = [...rideIds.flatMap((id) => held.bookingsAround(id)!), ...ofRequests];
  const beside = isAllHeld
    ? nothing
    : await ordersBeside(kept, {
        rideIds,
        requestIds: partly,
        heldRideIds: [...rideIds, ...heldRideIds],
        heldBookingIds: heldBookings.map(({ id }) => id),
        otherRideIds,
      });
  return withRead(beside, { held, of, viewerId, ofRequests });
}

/**
 * Whether the bookings of requests need no more of the rides that are not held than their rows, stops and
 * waitlists: where the passenger had joined, those on the ride count too.
 */
function suffices(held: OrderUnit, ofRequests: readonly store.BookingRow[]): boolean {
  const latest = new Map(ofRequests.map((booking) => [booking.requestId, booking]));
  const others = ofRequests.filter(({ rideId }) => held.stops(rideId) === null);
  return [...Map.groupBy(others, ({ rideId }) => rideId).values()].every((own) => {
    const joined = own.filter(({ joinedAt }) => joinedAt !== null);
    const isLatest = joined.some((booking) => latest.get(booking.requestId) === booking);
    const isPlain = joined.length === 0 || (joined.length === own.length && !isLatest);
    return isPlain && own.every(({ state }) => failedStates.includes(state));
  });
}

/** The rows of a view from what was held and what was read beside it; null where more has to be read. */
function withRead(beside: OrdersBeside, view: HeldView): Rows | null {
  const { held, of, viewerId } = view;
  const known = knownBookings(beside, view);
  const waits = of.requests.flatMap(({ id }) => held.waitsOf(id)!);
  const rideIds = [...new Set([...of.rides.map(({ id }) => id), ...ridesOf([...known, ...waits])])];
  const read = {
    rides: byId(beside.rides),
    requests: byId(beside.requests),
    stops: Map.groupBy(beside.stops, ({ rideId }) => rideId),
    waiting: Map.groupBy(beside.waiting, ({ rideId }) => rideId),
  };
  const rides = rideIds.map((id) => held.ride(id) ?? read.rides.get(id));
  const stops = rideIds.flatMap((id) => held.stops(id) ?? read.stops.get(id) ?? []);
  const waiting = rideIds
    .flatMap((id) => held.waitingFor(id) ?? read.waiting.get(id) ?? [])
    .toSorted((a, b) => a.id - b.id);
  const shown = shownBookings(known, stops, view);
  if (shown === null) return null;
  const { bookings, ofRequests } = shown;
  const isViewed = new Set(of.rides.map(({ id }) => id));
  const waitingShown = waiting.filter((each) => isViewed.has(each.rideId) || each.passengerId === viewerId);
  const requests = [...bookings, ...waitingShown].map(
    ({ requestId }) => held.request(requestId) ?? read.requests.get(requestId),
  );
  // A message in the ride's room may count as contact with a passenger who is awaited.
  const isAwaited = bookings.some(({ state }) => state === 'driver reached');
  if (isAwaited || rides.includes(undefined) || requests.includes(undefined)) return null;
  return {
    rides: byId(rides as store.RideRow[]),
    requests: byId([...of.requests, ...(requests as store.RequestRow[])]),
    bookings,
    bookingsByRide: Map.groupBy(bookings, ({ rideId }) => rideId),
    bookingsByRequest: Map.groupBy(ofRequests, ({ requestId }) => requestId),
    stops,
    changes: [],
    waiting,
    people: peopleOf(held, beside.people, [
      ...rides.map((ride) => ride!.driverId),
      ...[...of.requests, ...requests].map((request) => request!.passengerId),
    ]),
  };
}

const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** The bookings of the rides and the requests, oldest first; as they were held, where they were. */
const knownBookings = (beside: OrdersBeside, { held, of, ofRequests }: HeldView): store.BookingRow[] => {
  const ofRides = of.rides.flatMap(({ id }) => held.bookingsAround(id)!);
  return [...byId([...beside.bookings, ...ofRides, ...ofRequests]).values()].toSorted(byAge);
};

/**
 * The bookings that are shown, oldest first: the same as `loadRows` reads, so that of a ride that a request
 * has only asked in vain it is the request's own.
 */
function shownBookings(
  known: readonly store.BookingRow[],
  stops: readonly store.StopRow[],
  { held, of }: HeldView,
): { bookings: store.BookingRow[]; ofRequests: store.BookingRow[] } | null {
  const served = new Set(stops.map(({ bookingId }) => bookingId));
  const isOnRoute = ({ id }: store.BookingRow) => served.has(id);
  const isOwn = new Set(of.requests.map(({ id }) => id));
  const own = known.filter(({ requestId }) => isOwn.has(requestId));
  const ofRequests = of.requests.flatMap(({ id }) =>
    shownOf(
      own.filter(({ requestId }) => requestId === id),
      isOnRoute,
    ),
  );
  const agreedOrOpen = own.filter(({ endedAt, joinedAt }) => endedAt === null || joinedAt !== null);
  const around = ridesOf(agreedOrOpen).filter((id) => held.stops(id) !== null);
  const viewed = of.rides.map(({ id }) => id);
  if (!suffices(held, own) || around.some((id) => held.isChanging(id) !== false)) return null;
  const ofOthers = around.flatMap((id) =>
    held
      .bookingsAround(id)!
      .filter((booking) => !isOwn.has(booking.requestId) && (counts(booking) || isOnRoute(booking))),
  );
  const ofRides = viewed.flatMap((id) => {
    const ofRide = known.filter(({ rideId }) => rideId === id);
    return of.bookingIds === undefined ? shownOf(ofRide, isOnRoute) : ofRide;
  });
  const bookings = [...byId([...ofRequests, ...ofOthers, ...ofRides]).values()].toSorted(byAge);
  return bookings.length > mostOfOrder ? null : { bookings, ofRequests };
}

/** People who are held or were read; null where one of them is neither. */
function peopleOf(held: OrderUnit, read: readonly PersonRow[], ids: readonly string[]): PersonRow[] | null {
  const areRead = new Set(read.map(({ id }) => id));
  const others = held.people([...new Set(ids)].filter((id) => !areRead.has(id)));
  return others === null ? null : [...others, ...read];
}
