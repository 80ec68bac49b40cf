import { seatedStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { EditContext } from '../edit-order.ts';
import type { By } from '../move-log.ts';
import * as orders from '../store.ts';
import type { RecurringRow } from './store.ts';

const isSeated = ({ state }: orders.BookingRow): boolean => seatedStates.includes(state);

/**
 * Cancels a day's order; false where a passenger has joined it. Called under the lock on the recurring rides.
 */
export const cancelDay = (
  context: EditContext,
  tx: Db,
  recurring: RecurringRow,
  orderId: string,
): Promise<boolean> =>
  recurring.template.role === 'driver'
    ? cancelRide(context, tx, recurring, orderId)
    : cancelRequest(context, tx, recurring, orderId);

async function cancelRide(
  { moves, settle, platform: { clock } }: EditContext,
  tx: Db,
  { ownerId }: RecurringRow,
  rideId: string,
): Promise<boolean> {
  const by: By = { actor: 'driver', actorId: ownerId };
  const ride = await orders.lockRide(tx, rideId);
  if (ride === null) return false;
  const bookings = orders.openBookingsOf(tx, rideId);
  if (bookings.some(isSeated)) return false;
  await moves.moveRide(tx, ride, { move: 'cancel', by, set: { endedAt: clock.now() } });
  await settle.closeAsks(tx, bookings, { how: 'withdraw', reason: '' });
  await orders.freeSpan(tx, rideId);
  await settle.requests(tx, bookings);
  return true;
}

async function cancelRequest(
  { moves, settle, platform: { clock } }: EditContext,
  tx: Db,
  { ownerId }: RecurringRow,
  requestId: string,
): Promise<boolean> {
  const by: By = { actor: 'passenger', actorId: ownerId };
  const request = await orders.lockRequest(tx, requestId);
  const bookings = await orders.bookingsOf(tx, { requestIds: [requestId] });
  if (request === null || bookings.some(isSeated)) return false;
  await settle.closeAsks(tx, bookings, { how: 'withdraw', reason: '' });
  await moves.moveRequest(tx, request, { move: 'cancel', by, set: { endedAt: clock.now() } });
  await orders.freeSpan(tx, requestId);
  return true;
}
