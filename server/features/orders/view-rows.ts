import type { App } from '../../app-type.ts';
import type { PersonRow } from '../identity/service.ts';
import { ordersAround } from './around/store.ts';
import { contactsOf } from './reports/contacts.ts';
import * as store from './store.ts';

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

/** Reads the rows of the views: of a request its bookings and their rides, of a ride all its rows. */
export async function viewRows(
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
