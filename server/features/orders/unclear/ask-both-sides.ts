import type { App } from '../../../app-type.ts';
import { decideBy } from '../../payments/service.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { answerByAt } from '../rules/unclear.ts';
import * as orders from '../store.ts';
import { emitUnclear, isOpen } from './signal-unclear.ts';
import * as store from './store.ts';

/**
 * Asks both sides of the open ones among some bookings whether they rode. Called under the lock on the ride;
 * false where none of them is open.
 */
export async function askBothSides(
  app: App,
  locked: LockedOrders,
  ride: orders.RideRow,
  bookings: readonly orders.BookingRow[],
): Promise<boolean> {
  const open = bookings.filter(isOpen);
  if (open.length === 0) return false;
  const now = app.clock.now();
  // One deadline for the whole ride, which is concluded as a whole: also those who were on board pay then.
  const all = locked.bookingsOfRide(ride.id);
  const ends = await decideBy(
    app,
    await locked.db(),
    all.filter(isOpen).map(({ id }) => id),
  );
  const first = ends.length === 0 ? null : new Date(Math.min(...ends.map((at) => at.getTime())));
  const answerBy = answerByAt(now, first);
  const rows = open.map(({ id: bookingId, rideId, driverId, passengerId }) => ({
    bookingId,
    rideId,
    driverId,
    passengerId,
    askedAt: now,
    answerBy,
  }));
  await store.openQuestions(await locked.db(), rows);
  for (const { id } of open) locked.changeBooking(id, { unclearAt: now });
  locked.editRide(ride.id, { unclearAt: now });
  for (const booking of open) emitUnclear(locked, booking, 'asked');
  return true;
}
