import type { App } from '../../../app-type.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { type LockedOrders, changeOrders } from '../aggregate/locked-orders.ts';
import { bookingNotFound, orderNotFound } from '../order-refusals.ts';
import type { BookingRow, RequestRow, RideRow } from '../store.ts';

/** A booking with its two orders. */
export interface BookedPair {
  ride: RideRow;
  request: RequestRow;
  booking: BookingRow;
}

/**
 * Locks a ride and a request. Refuses a pair that is not the caller's on their side, and one of which the
 * owners may not see each other's orders.
 */
export async function lockOwnPair(
  locked: LockedOrders,
  ids: { rideId: string; requestId: string },
  { side, personId }: { side: 'driver' | 'passenger'; personId: string },
): Promise<{ ride: RideRow; request: RequestRow }> {
  const pair = await locked.lockInSight(ids);
  if (pair === null) throw orderNotFound();
  const { ride, request, areInSight } = pair;
  if ((side === 'passenger' ? request.passengerId : ride.driverId) !== personId) throw orderNotFound();
  if (ride.driverId === request.passengerId) throw new Refusal('order.ownRide', 'This is your own ride.');
  if (!areInSight) throw orderNotFound();
  return { ride, request };
}

/** Locks a booking with its ride and request, in that order, and returns their current rows. */
export async function lockPair(
  locked: LockedOrders,
  { id, rideId, requestId }: Pick<BookingRow, 'id' | 'rideId' | 'requestId'>,
): Promise<BookedPair> {
  const ride = await locked.lockRide(rideId, [requestId]);
  const request = await locked.lockRequest(requestId);
  const booking = locked.booking(id);
  if (ride === null || request === null || booking === null) throw bookingNotFound();
  return { ride, request, booking };
}

/**
 * A transaction on a ride, or on a request without one. Commands on the same ride queue in this process,
 * without a connection each.
 */
export const onRide = <T>(app: App, rideId: string, work: (locked: LockedOrders) => Promise<T>): Promise<T> =>
  changeOrders(app, 'change ride', work, rideId);
