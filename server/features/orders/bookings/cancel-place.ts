import type { App } from '../../../app-type.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { settleBooking, leaveRoute } from '../decide/cascade.ts';
import type { By } from '../decide/move-log.ts';
import { moveBooking } from '../decide/moves.ts';
import { bookingNotFound } from '../order-refusals.ts';
import type { BookingRow, RideRow } from '../store.ts';
import { agreedFee } from './cancellation-fee.ts';
import { onRide } from './on-ride.ts';
import { lockPair } from './pair.ts';
import { createSeenFees } from './seen-fee.ts';
import type { BookingSides } from './store.ts';

/**
 * One side cancels a passenger's place in a ride. Refuses `order.reasonMissing` to a driver without a reason,
 * and `booking.notFound`.
 * @param known the booking, which the person is a side of; null where there is none
 */
export async function cancelPlace(
  app: App,
  known: BookingSides | null,
  personId: string,
  { reason, seen }: { reason: string; seen: string },
): Promise<void> {
  if (known === null) throw bookingNotFound();
  const side = known.driverId === personId ? 'driver' : 'passenger';
  if (side === 'driver' && reason === '')
    throw refuseField('order.reasonMissing', 'reason', 'Please enter a reason.');
  const fee = side === 'passenger' ? await createSeenFees(app).read(seen, personId, known.id) : null;
  return onRide(app, known.rideId, async (locked) => {
    const { ride, booking } = await lockPair(locked, known);
    const lateFeeCents = side === 'passenger' ? await agreedFee(app, locked, { ride, booking }, fee) : 0;
    const by: By = { actor: side, actorId: personId };
    await endJoined(app, locked, { ride, booking, lateFeeCents }, { by, reason });
    settleBooking(app, locked, booking);
  });
}

/**
 * Ends a joined booking before the passenger is on board.
 * @param lateFeeCents the cancellation fee that the passenger owes.
 */
export async function endJoined(
  app: App,
  locked: LockedOrders,
  { ride, booking, lateFeeCents }: { ride: RideRow; booking: BookingRow; lateFeeCents: number },
  { by, reason }: { by: By; reason: string },
): Promise<void> {
  // Both sides are asked whether they rode: until then neither owes a fee for a day during an outage.
  if (booking.unclearAt !== null)
    throw movedOn('booking.moved', 'Please tell us first whether this ride happened.');
  const fault = by.actor === 'passenger' ? 'passenger' : 'driver';
  const set = { fault, reason, lateFeeCents, endedAt: app.clock.now() } as const;
  const moved = moveBooking(app, locked, booking, { move: 'cancel', by, set, note: reason });
  leaveRoute(app, locked, ride, moved);
}
