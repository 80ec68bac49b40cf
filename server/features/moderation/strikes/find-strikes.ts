import type { Db } from '../../../platform/database/db.ts';
import { bookingsByIds, ridesByIds } from '../../orders/aggregate/queries.ts';
import { brokenRidesByIds } from '../../orders/service.ts';
import { isStrike, isWhim, type StrikeFigures } from './rules/verdict.ts';
import * as store from './store.ts';

/** A booking that its driver canceled or did not come for. */
export interface LostBooking {
  bookingId: string;
  /** The reporter: a strike by the system goes to the admins and does not suspend. */
  by: 'driver' | 'passenger' | 'system';
}

/** The strikes among some bookings, one for each ride that has none yet, in the order given. */
export async function findStrikes(
  db: Db,
  figures: StrikeFigures,
  lost: readonly LostBooking[],
): Promise<store.StrikeRow[]> {
  const bookingIds = [...new Set(lost.map(({ bookingId }) => bookingId))];
  const bookings = (await bookingsByIds(db, bookingIds)).filter(
    ({ fault, joinedAt, endedAt }) => fault === 'driver' && joinedAt !== null && endedAt !== null,
  );
  if (bookings.length === 0) return [];
  const rideIds = [...new Set(bookings.map(({ rideId }) => rideId))];
  const [rides, broken, struck] = await Promise.all([
    ridesByIds(db, rideIds),
    brokenRidesByIds(db, rideIds),
    store.ridesWithStrike(db, rideIds),
  ]);
  const found = new Map<string, store.StrikeRow>();
  for (const { bookingId, by } of lost) {
    const booking = bookings.find(({ id }) => id === bookingId);
    const ride = rides.find(({ id }) => id === booking?.rideId);
    if (booking === undefined || ride === undefined || struck.has(ride.id) || found.has(ride.id)) continue;
    const endedAt = booking.endedAt!;
    // A breakdown, or a driver who feels unsafe, is no strike; admins see each of these rides.
    const end = broken.find(({ rideId }) => rideId === ride.id);
    if (!isStrike(endedAt, ride.departsAt, figures) || (end !== undefined && !isWhim(end))) continue;
    found.set(ride.id, { rideId: ride.id, driverId: booking.driverId, at: endedAt, by });
  }
  return [...found.values()];
}
