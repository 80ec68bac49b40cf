import type { Platform } from '../../platform/platform.ts';
import type { OrdersService } from './service.ts';

/** A kept seat may be offered so much later: one look finds those of all bookings that ended meanwhile. */
const seatRestMs = 200;

export function listenForOrders({ outbox }: Platform, { bookings }: OrdersService): void {
  // A block closes open asks and invitations between the two; rides that both have joined go on.
  outbox.on(
    'contact.moved',
    'blocked contacts',
    ({ payload: { actorId, otherId } }) => bookings.closeAsksBetween(actorId, otherId),
    ({ move }) => move === 'blocked',
  );
  // The seat kept for a passenger who no longer wants it goes to the next on the waitlist. Where the caller
  // held the lock on the ride, that has been done already; a passenger who joins another ride holds the lock
  // on that one.
  outbox.listen(
    'kept seats',
    { 'booking.moved': ({ to }) => to === 'cancel' || to === 'rejected' || to === 'expired' },
    (signals) => bookings.freeKeptSeats(signals.map(({ payload }) => payload)),
    { restMs: seatRestMs },
  );
  // A payment that succeeds or fails moves its booking.
  outbox.listen('bookings', { 'payment.moved': true }, async (signals) => {
    for (const bookingId of new Set(signals.map(({ payload }) => payload.bookingId)))
      await bookings.followPayment(bookingId);
  });
}
