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
  locked: LockedOrders,
  recurring: RecurringRow,
  orderId: string,
): Promise<boolean> =>
  recurring.template.role === 'driver'
    ? cancelRide(context, locked, recurring, orderId)
    : cancelRequest(context, locked, recurring, orderId);

async function cancelRide(
  { moves, settle, platform: { clock } }: EditContext,
  locked: LockedOrders,
  { ownerId }: RecurringRow,
  rideId: string,
): Promise<boolean> {
  const by: By = { actor: 'driver', actorId: ownerId };
  const ride = await locked.lockRide(rideId);
  if (ride === null) return false;
  const bookings = locked.openBookings(rideId);
  if (bookings.some(isSeated)) return false;
  moves.moveRide(locked, ride, { move: 'cancel', by, set: { endedAt: clock.now() } });
  settle.closeAsks(locked, bookings, { how: 'withdraw', reason: '' });
  locked.spans.free(rideId);
  settle.requests(locked, bookings);
  return true;
}

async function cancelRequest(
  { moves, settle, platform: { clock } }: EditContext,
  locked: LockedOrders,
  { ownerId }: RecurringRow,
  requestId: string,
): Promise<boolean> {
  const by: By = { actor: 'passenger', actorId: ownerId };
  const request = await locked.lockRequest(requestId);
  if (request === null) return false;
  const bookings = locked.bookingsOfRequest(requestId);
  if (bookings.some(isSeated)) return false;
  settle.closeAsks(locked, bookings, { how: 'withdraw', reason: '' });
  moves.moveRequest(locked, request, { move: 'cancel', by, set: { endedAt: clock.now() } });
  locked.spans.free(requestId);
  return true;
}
