import { seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { closeAsks, settleRequests } from '../decide/cascade.ts';
import type { By } from '../decide/move-log.ts';
import { moveRide, moveRequest } from '../decide/moves.ts';
import * as orders from '../store.ts';
import type { RecurringRow } from './store.ts';

const isSeated = ({ state }: orders.BookingRow): boolean => seatedStates.includes(state);

/**
 * Cancels a day's order; false where a passenger has joined it. Called under the lock on the recurring rides.
 */
export const cancelDay = (
  app: App,
  locked: LockedOrders,
  recurring: RecurringRow,
  orderId: string,
): Promise<boolean> =>
  recurring.template.role === 'driver'
    ? cancelRide(app, locked, recurring, orderId)
    : cancelRequest(app, locked, recurring, orderId);

async function cancelRide(
  app: App,
  locked: LockedOrders,
  { ownerId }: RecurringRow,
  rideId: string,
): Promise<boolean> {
  const { clock } = app;
  const by: By = { actor: 'driver', actorId: ownerId };
  const ride = await locked.lockRide(rideId);
  if (ride === null) return false;
  const bookings = locked.openBookings(rideId);
  if (bookings.some(isSeated)) return false;
  moveRide(app, locked, ride, { move: 'cancel', by, set: { endedAt: clock.now() } });
  closeAsks(app, locked, bookings, { how: 'withdraw', reason: '' });
  locked.spans.free(rideId);
  settleRequests(app, locked, bookings);
  return true;
}

async function cancelRequest(
  app: App,
  locked: LockedOrders,
  { ownerId }: RecurringRow,
  requestId: string,
): Promise<boolean> {
  const { clock } = app;
  const by: By = { actor: 'passenger', actorId: ownerId };
  const request = await locked.lockRequest(requestId);
  if (request === null) return false;
  const bookings = locked.bookingsOfRequest(requestId);
  if (bookings.some(isSeated)) return false;
  closeAsks(app, locked, bookings, { how: 'withdraw', reason: '' });
  moveRequest(app, locked, request, { move: 'cancel', by, set: { endedAt: clock.now() } });
  locked.spans.free(requestId);
  return true;
}
