import { seatedStates } from '#contract/rides/moves.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { cancelComing } from '../cancel-coming.ts';
import type { By } from '../move-log.ts';
import { orderNotFound, rideMovedOn } from '../order-refusals.ts';
import { mayMoveRide } from '../rules/may.ts';
import { rideFacts } from '../view.ts';
import { onRide, type BookingContext } from './context.ts';

/**
 * The driver cancels their ride and every place in it. Refuses `order.reasonMissing` where a passenger has
 * joined.
 */
export async function cancelRide(
  context: BookingContext,
  rideId: string,
  driverId: string,
  reason: string,
): Promise<void> {
  const { orders, platform } = context;
  const { clock } = platform;
  return onRide(context, rideId, async (locked) => {
    const ride = await locked.lockRide(rideId);
    if (ride === null || ride.driverId !== driverId) throw orderNotFound();
    const bookings = locked.bookingsOfRide(rideId);
    const facts = rideFacts(ride, locked.stops(rideId), bookings);
    if (!mayMoveRide(facts, clock.now()).includes('cancel')) throw rideMovedOn();
    const joined = bookings.filter(({ state }) => seatedStates.includes(state));
    if (joined.length > 0 && reason === '')
      throw refuseField('order.reasonMissing', 'reason', 'Please enter a reason for those who have joined.');
    const by: By = { actor: 'driver', actorId: driverId };
    const set = { endedAt: clock.now() };
    orders.moves.moveRide(locked, ride, { move: 'cancel', by, set, note: reason });
    orders.settle.closeAsks(locked, bookings, { how: 'withdraw', reason });
    const { moves } = orders;
    for (const booking of joined) cancelComing({ platform, moves }, locked, booking, { by, reason });
    locked.spans.free(rideId);
    orders.settle.requests(locked, bookings);
  });
}
