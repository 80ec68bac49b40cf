import type { App } from '../../../app-type.ts';
import { ownBooking, bookingView } from '../order-views.ts';
import { pay } from './booking-payment.ts';
import { joinRide } from './join-ride.ts';
import { onRide, lockPair } from './pair.ts';

/** The driver accepts an ask, or the passenger an invitation: the seats are claimed. */
export async function acceptBooking(app: App, bookingId: string, personId: string) {
  const { booking, side } = await ownBooking(app, bookingId, personId);
  const move = side === 'driver' ? 'accept' : 'acceptInvitation';
  const { fareCents } = await onRide(app, booking.rideId, async (locked) =>
    joinRide(app, locked, await lockPair(locked, booking), {
      move,
      by: { actor: side, actorId: personId },
    }),
  );
  if (fareCents > 0) await pay(app, bookingId);
  return { booking: await bookingView(app, bookingId, personId) };
}
