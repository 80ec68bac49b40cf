import type { Platform } from '../../platform/platform.ts';
import type { BookingsService } from './service.ts';

/** A payment that stands, or fails, moves the booking it is for. */
export function listenForPayments({ outbox }: Platform, bookings: BookingsService): void {
  outbox.on('payment.moved', 'bookings', ({ payload }) => bookings.paymentMoved(payload.bookingId));
}

/** A block ends what waits for an answer between the two; rides that both have joined go on. */
export function listenForBlocks({ outbox }: Platform, bookings: BookingsService): void {
  outbox.on('contact.moved', 'bookings', async ({ payload: { move, actorId, otherId } }) => {
    if (move === 'blocked') await bookings.part(actorId, otherId);
  });
}

/**
 * A seat that was kept for somebody and is no longer wanted is free for the next. Where the ride was at hand that has
 * been done already; a passenger who joins another ride holds the lock on that one.
 */
export function listenForKeptSeats({ outbox }: Platform, bookings: BookingsService): void {
  outbox.on('booking.moved', 'kept seats', async ({ payload: { bookingId, to } }) => {
    if (to === 'cancel' || to === 'rejected' || to === 'expired') await bookings.freeKeptSeat(bookingId);
  });
}
