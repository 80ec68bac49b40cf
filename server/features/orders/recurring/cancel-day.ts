import { seatedStates } from '#contract/rides/moves.ts';
import type { EditContext } from '../edit-order.ts';
import type { By } from '../move-log.ts';
import * as orders from '../store.ts';
import type { RecurringRow } from './store.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';

const isSeated = ({ state }: orders.BookingRow): boolean => seatedStates.includes(state);

/**
 * Cancels a day's order; false where a passenger has joined it. Called under the lock on the recurring rides.
 */
export const cancelDay = (
  context: EditContext,
  tx: LockedOrders,
  recurring: RecurringRow,
  orderId: string,
): Promise<boolean> =>
  recurring.template.role === 'driver'
    ? cancelRide(context, tx, recurring, orderId)
    : cancelRequest(context, tx, recurring, orderId);

async function cancelRide(
  { moves, settle, platform: { clock } }: EditContext,
  tx: LockedOrders,
  { ownerId }: RecurringRow,
  rideId: string,
): Promise<boolean> {
  const by: By = { actor: 'driver', actorId: ownerId };
  const ride = await tx.lockRide(rideId);
  if (ride === null) return false;
  const bookings = tx.openBookings(rideId);
  if (bookings.some(isSeated)) return false;
  moves.moveRide(tx, ride, { move: 'cancel', by, set: { endedAt: clock.now() } });
  settle.closeAsks(tx, bookings, { how: 'withdraw', reason: '' });
  tx.spans.free(rideId);
  settle.requests(tx, bookings);
  return true;
}

async function cancelRequest(
  { moves, settle, platform: { clock } }: EditContext,
  tx: LockedOrders,
  { ownerId }: RecurringRow,
  requestId: string,
): Promise<boolean> {
  const by: By = { actor: 'passenger', actorId: ownerId };
  const request = await tx.lockRequest(requestId);
  if (request === null) return false;
  const bookings = tx.bookingsOfRequest(requestId);
  if (bookings.some(isSeated)) return false;
  settle.closeAsks(tx, bookings, { how: 'withdraw', reason: '' });
  moves.moveRequest(tx, request, { move: 'cancel', by, set: { endedAt: clock.now() } });
  tx.spans.free(requestId);
  return true;
}
