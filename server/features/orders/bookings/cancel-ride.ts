import { seatedStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import type { By } from '../move-log.ts';
import { mayMoveRide } from '../rules/may.ts';
import type { BookingRow } from '../store.ts';
import { rideFacts } from '../view.ts';
import { onRide, type BookingContext } from './context.ts';
import { orderNotFound } from './pair.ts';

/** The driver cancels their ride and every place in it. Refuses `order.reasonMissing` where a passenger has joined. */
export async function cancelRide(
  context: BookingContext,
  rideId: string,
  driverId: string,
  reason: string,
): Promise<void> {
  const { orders, platform } = context;
  await onRide(context, rideId, async (tx) => {
    const ride = await orders.lockRide(tx, rideId);
    if (ride === null || ride.driverId !== driverId) throw orderNotFound();
    const bookings = await orders.bookingsOf(tx, { rideIds: [rideId] });
    const facts = rideFacts(ride, await orders.stopsOf(tx, [rideId]), bookings);
    if (!mayMoveRide(facts, platform.clock.now()).includes('cancel'))
      throw movedOn('order.moved', 'This ride has moved on. Please look again.');
    const joined = bookings.filter(({ state }) => seatedStates.includes(state));
    if (joined.length > 0 && reason === '')
      throw refuseField('order.reasonMissing', 'reason', 'Please enter a reason for those who have joined.');
    const by: By = { actor: 'driver', actorId: driverId };
    const set = { endedAt: platform.clock.now() };
    await orders.moves.moveRide(tx, ride, { move: 'cancel', by, set, note: reason });
    await orders.settle.closeAsks(tx, bookings, { how: 'withdraw', reason });
    for (const booking of joined) await cancelJoined(context, tx, booking, { by, reason });
    await orders.freeSpan(tx, rideId);
    await orders.settle.requests(tx, bookings);
  });
}

async function cancelJoined(
  { orders, platform }: BookingContext,
  tx: Db,
  booking: BookingRow,
  { by, reason }: { by: By; reason: string },
): Promise<void> {
  // A meeting that one side has confirmed is undone first: the passenger is not on board yet.
  const met =
    booking.state === 'picking'
      ? await orders.moves.moveBooking(tx, booking, { move: 'undoMeet', by, set: { metBy: null } })
      : booking;
  const set = { fault: 'driver', reason, endedAt: platform.clock.now() } as const;
  await orders.moves.moveBooking(tx, met, { move: 'cancel', by, set, note: reason });
}
