import type { App } from '../../app-type.ts';
import { followPayment } from './bookings/booking-payment.ts';
import { closeAsksBetween } from './bookings/close-booking.ts';
import { freeKeptSeats } from './bookings/waitlist.ts';

/**
 * A reserved seat may be offered this much later: one query finds those of all bookings that ended in that
 * time.
 */
const seatRestMs = 200;

export function listenForOrders(app: App): void {
  // A block closes open asks and invitations between the two; rides that both have joined go on.
  app.outbox.on(
    'contact.moved',
    'blocked contacts',
    ({ payload: { actorId, otherId } }) => closeAsksBetween(app, actorId, otherId),
    ({ move }) => move === 'blocked',
  );
  // The seat reserved for a passenger who no longer wants it goes to the next on the waitlist. Where the
  // caller had the ride locked, that has been done already; a passenger who joins another ride has that one
  // locked.
  app.outbox.listen(
    'kept seats',
    { 'booking.moved': ({ to }) => to === 'cancel' || to === 'rejected' || to === 'expired' },
    (signals) =>
      freeKeptSeats(
        app,
        signals.map(({ payload }) => payload),
      ),
    { restMs: seatRestMs },
  );
  // A payment that succeeds or fails moves its booking.
  app.outbox.listen('bookings', { 'payment.moved': true }, async (signals) => {
    for (const bookingId of new Set(signals.map(({ payload }) => payload.bookingId)))
      await followPayment(app, bookingId);
  });
}
