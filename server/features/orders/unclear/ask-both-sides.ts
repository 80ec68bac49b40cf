import type { Db } from '../../../platform/database/db.ts';
import { answerByAt } from '../rules/unclear.ts';
import type { BookingRow, RideRow } from '../store.ts';
import { emitUnclear, isOpen, type UnclearContext } from './context.ts';
import * as store from './store.ts';

/**
 * Asks both sides of every open booking whether they rode. Called under the lock on the ride; false where no
 * booking is open.
 */
export async function askBothSides(
  context: UnclearContext,
  tx: Db,
  ride: RideRow,
  bookings: readonly BookingRow[],
): Promise<boolean> {
  const { payments, platform } = context;
  const open = bookings.filter(isOpen);
  if (open.length === 0) return false;
  const now = platform.clock.now();
  const ends = await payments.decideBy(
    tx,
    open.map(({ id }) => id),
  );
  // One deadline for the whole ride, which is concluded as a whole.
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
  await store.openQuestions(tx, ride.id, rows, now);
  for (const booking of open) await emitUnclear(context, tx, booking, 'asked');
  return true;
}
