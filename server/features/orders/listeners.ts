import type { Platform } from '../../platform/platform.ts';
import type { OrdersService } from './service.ts';

export function listenForOrders({ outbox }: Platform, { bookings }: OrdersService): void {
  // A block ends what waits for an answer between the two; rides that both have joined go on.
  outbox.on('contact.moved', 'bookings', async ({ payload: { move, actorId, otherId } }) => {
    if (move === 'blocked') await bookings.closeAsksBetween(actorId, otherId);
  });
  // A seat that was kept for a passenger who no longer wants it is free for the next. Where the ride was at
  // hand that has been done already; a passenger who joins another ride holds the lock on that one.
  outbox.on('booking.moved', 'kept seats', async ({ payload: { bookingId, to } }) => {
    if (to === 'cancel' || to === 'rejected' || to === 'expired') await bookings.freeKeptSeat(bookingId);
  });
  // A payment that stands, or fails, moves the booking it is for.
  outbox.on('payment.moved', 'bookings', ({ payload }) => bookings.followPayment(payload.bookingId));
}
