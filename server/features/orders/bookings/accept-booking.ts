import { pay } from './booking-payment.ts';
import { onRide, type BookingContext } from './context.ts';
import { joinRide } from './join-ride.ts';
import { lockPair } from './pair.ts';

/** The driver accepts an ask, or the passenger an invitation: the seats are claimed. */
export async function acceptBooking(context: BookingContext, bookingId: string, personId: string) {
  const { orders } = context;
  const { booking, side } = await orders.ownBooking(bookingId, personId);
  const move = side === 'driver' ? 'accept' : 'acceptInvitation';
  const { fareCents } = await onRide(context, booking.rideId, async (locked) =>
    joinRide(context, locked, await lockPair(locked, booking), {
      move,
      by: { actor: side, actorId: personId },
    }),
  );
  if (fareCents > 0) await pay(context, bookingId);
  return { booking: await orders.bookingView(bookingId, personId) };
}
