import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import type { ReadContext } from './context.ts';
import { bookingNotFound } from './order-refusals.ts';
import { contactsOf } from './reports/contacts.ts';
import * as store from './store.ts';
import { loadViewContext } from './view-context.ts';
import { viewBooking, viewRequest, viewRide } from './view.ts';
import { visibleOrder, type FoundOrder } from './visible-order.ts';

/** Rides as the viewer may see them, in the order of the rows. */
export async function rideViews(
  context: ReadContext,
  rows: readonly store.RideRow[],
  viewerId: string | null,
): Promise<Ride[]> {
  const views = await loadViewContext(context, { rides: rows, requests: [] }, viewerId);
  return rows.map((row) => viewRide(views, row));
}

/** Requests as the viewer may see them, in the order of the rows. */
export async function requestViews(
  context: ReadContext,
  rows: readonly store.RequestRow[],
  viewerId: string | null,
): Promise<Request[]> {
  const views = await loadViewContext(context, { rides: [], requests: rows }, viewerId);
  return rows.map((row) => viewRequest(views, row));
}

/** The view of an order whose row has been read already. */
export async function viewFound(context: ReadContext, found: FoundOrder, viewerId: string): Promise<Order> {
  return 'ride' in found
    ? (await rideViews(context, [found.ride], viewerId))[0]!
    : (await requestViews(context, [found.request], viewerId))[0]!;
}

/** An order by its id or number, as the viewer may see it. Refuses `order.notFound`. */
export const viewOrder = async (context: ReadContext, idOrNumber: string, viewerId: string): Promise<Order> =>
  viewFound(context, await visibleOrder(context, idOrNumber, viewerId), viewerId);

/** A booking as the viewer may see it. Refuses `booking.notFound`. */
export async function bookingView(
  context: ReadContext,
  bookingId: string,
  viewerId: string,
): Promise<Booking> {
  const { db } = context.platform;
  const booking = await store.bookingById(db, bookingId);
  if (booking === null) throw bookingNotFound();
  const [ride] = await store.ridesByIds(db, [booking.rideId]);
  const viewed = { rides: [ride!], requests: [], bookingIds: [bookingId] };
  const views = await loadViewContext(context, viewed, viewerId);
  const [known] = await contactsOf({ db, chat: context.chat }, [booking]);
  return viewBooking(views, known!);
}

/** A booking that the person is a side of. Refuses `booking.notFound`. */
export async function ownBooking(
  { platform }: ReadContext,
  bookingId: string,
  personId: string,
): Promise<{ booking: store.BookingRow; side: 'driver' | 'passenger' }> {
  const booking = await store.bookingById(platform.db, bookingId);
  if (booking === null || (booking.driverId !== personId && booking.passengerId !== personId))
    throw bookingNotFound();
  return { booking, side: booking.driverId === personId ? 'driver' : 'passenger' };
}
