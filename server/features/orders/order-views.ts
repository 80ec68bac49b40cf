import type { Booking, Order, Request, Ride } from '#contract/rides/views.ts';
import type { ReadContext } from './context.ts';
import { bookingNotFound } from './order-refusals.ts';
import { contactsOf } from './reports/contacts.ts';
import { sidesOf, type BookingSides } from './sides.ts';
import * as store from './store.ts';
import type { OrderUnit } from './unit/order-unit.ts';
import { loadViewContext } from './view-context.ts';
import { viewBooking, viewRequest, viewRide } from './view.ts';
import { visibleOrder, type FoundOrder } from './visible-order.ts';

/** Rides as the viewer may see them, in the order of the rows. */
export async function rideViews(
  context: ReadContext,
  rows: readonly store.RideRow[],
  viewerId: string | null,
  held: OrderUnit | null = null,
): Promise<Ride[]> {
  const views = await loadViewContext(context, { rides: rows, requests: [] }, viewerId, held);
  return rows.map((row) => viewRide(views, row));
}

/** Requests as the viewer may see them, in the order of the rows. */
export async function requestViews(
  context: ReadContext,
  rows: readonly store.RequestRow[],
  viewerId: string | null,
  held: OrderUnit | null = null,
): Promise<Request[]> {
  const views = await loadViewContext(context, { rides: [], requests: rows }, viewerId, held);
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

/**
 * A booking as the viewer may see it. Refuses `booking.notFound`.
 * @param held what the transaction that has just moved it held.
 */
export async function bookingView(
  context: ReadContext,
  bookingId: string,
  viewerId: string,
  held: OrderUnit | null = null,
): Promise<Booking> {
  const { db } = context.platform;
  const booking = held?.booking(bookingId) ?? (await store.bookingById(db, bookingId));
  if (booking === null) throw bookingNotFound();
  const ride = held?.ride(booking.rideId) ?? (await store.ridesByIds(db, [booking.rideId]))[0]!;
  const viewed = { rides: [ride], requests: [], bookingIds: [bookingId] };
  const views = await loadViewContext(context, viewed, viewerId, held);
  const [known] = await contactsOf({ db, chat: context.chat }, [booking]);
  return viewBooking(views, known!);
}

/**
 * Which side of a booking the person is, for a call that locks and reads it. Refuses `booking.notFound`.
 */
export async function ownSide(
  { platform }: ReadContext,
  bookingId: string,
  personId: string,
): Promise<{ booking: BookingSides; side: 'driver' | 'passenger' }> {
  const booking = sidesOf(bookingId) ?? (await store.bookingById(platform.db, bookingId));
  if (booking === null || (booking.driverId !== personId && booking.passengerId !== personId))
    throw bookingNotFound();
  return { booking, side: booking.driverId === personId ? 'driver' : 'passenger' };
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
