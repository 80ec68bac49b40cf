import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { refuseField } from '../../../platform/refusal.ts';
import { cancelComing } from '../cancel-coming.ts';
import { closeAsks, settleRequests } from '../decide/cascade.ts';
import type { By } from '../decide/move-log.ts';
import { moveRide } from '../decide/moves.ts';
import { orderNotFound, rideMovedOn } from '../order-refusals.ts';
import { mayMoveRide } from '../rules/may.ts';
import { rideFacts } from '../view.ts';
import { onRide } from './on-ride.ts';

/**
 * The driver cancels their ride and every place in it. Refuses `order.reasonMissing` where a passenger has
 * joined.
 */
export async function cancelRide(app: App, rideId: string, driverId: string, reason: string): Promise<void> {
  const { clock } = app;
  return onRide(app, rideId, async (locked) => {
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
    moveRide(app, locked, ride, { move: 'cancel', by, set, note: reason });
    closeAsks(app, locked, bookings, { how: 'withdraw', reason });
    for (const booking of joined) cancelComing(app, locked, booking, { by, reason });
    locked.spans.free(rideId);
    settleRequests(app, locked, bookings);
  });
}
