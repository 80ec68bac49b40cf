import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import type { App } from '../../app-type.ts';
import { bookingNotFound, orderNotFound } from './order-refusals.ts';
import { contactsOf } from './reports/contacts.ts';
import * as store from './store.ts';
import { loadViewContext } from './view-context.ts';
import { viewBooking, viewRequest, viewRide } from './view.ts';

/** Rides as the viewer may see them, in the order of the rows. */
export async function rideViews(
  app: App,
  rows: readonly store.RideRow[],
  viewerId: string | null,
): Promise<Ride[]> {
  const views = await loadViewContext(app, { rides: rows, requests: [] }, viewerId);
  return rows.map((row) => viewRide(views, row));
}

/** Requests as the viewer may see them, in the order of the rows. */
export async function requestViews(
  app: App,
  rows: readonly store.RequestRow[],
  viewerId: string | null,
): Promise<Request[]> {
  const views = await loadViewContext(app, { rides: [], requests: rows }, viewerId);
  return rows.map((row) => viewRequest(views, row));
}

/** The view of an order whose row has been read already. */
export async function viewFound(app: App, found: FoundOrder, viewerId: string): Promise<Order> {
  return 'ride' in found
    ? (await rideViews(app, [found.ride], viewerId))[0]!
    : (await requestViews(app, [found.request], viewerId))[0]!;
}

/** An order by its id or number, as the viewer may see it. Refuses `order.notFound`. */
export const viewOrder = async (app: App, idOrNumber: string, viewerId: string): Promise<Order> =>
  viewFound(app, await visibleOrder(app, idOrNumber, viewerId), viewerId);

/** A booking as the viewer may see it. Refuses `booking.notFound`. */
export async function bookingView(app: App, bookingId: string, viewerId: string): Promise<Booking> {
  const { db, kept } = app;
  const booking = await store.bookingById(kept, bookingId);
  if (booking === null) throw bookingNotFound();
  const [ride] = await store.ridesByIds(kept, [booking.rideId]);
  const viewed = { rides: [ride!], requests: [], bookingIds: [bookingId] };
  const views = await loadViewContext(app, viewed, viewerId);
  const [known] = await contactsOf(app, db, [booking]);
  return viewBooking(views, known!);
}

/** A booking that the person is a side of. Refuses `booking.notFound`. */
export async function ownBooking(
  app: App,
  bookingId: string,
  personId: string,
): Promise<{ booking: store.BookingRow; side: 'driver' | 'passenger' }> {
  const booking = await store.bookingById(app.kept, bookingId);
  if (booking === null || (booking.driverId !== personId && booking.passengerId !== personId))
    throw bookingNotFound();
  return { booking, side: booking.driverId === personId ? 'driver' : 'passenger' };
}

/** The row of an order, keyed by its kind. */
export type FoundOrder = { ride: store.RideRow } | { request: store.RequestRow };

/** A ride or request that the viewer may see, by id or order number. Refuses `order.notFound`. */
export async function visibleOrder(
  { db, kept }: App,
  idOrNumber: string,
  viewerId: string | null,
): Promise<FoundOrder> {
  const isNumber = /^sw-/i.test(idOrNumber);
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(idOrNumber);
  const number = idOrNumber.toUpperCase();
  const ride = isNumber
    ? await store.rideByNumber(db, number)
    : isId
      ? await store.rideById(kept, idOrNumber)
      : null;
  if (ride !== null && (ride.driverId === viewerId || (await store.maySeeRide(db, ride.id, viewerId))))
    return { ride };
  const request = isNumber
    ? await store.requestByNumber(db, number)
    : isId
      ? await store.requestById(kept, idOrNumber)
      : null;
  if (
    request !== null &&
    (request.passengerId === viewerId || (await store.maySeeRequest(db, request.id, viewerId)))
  )
    return { request };
  throw orderNotFound();
}
