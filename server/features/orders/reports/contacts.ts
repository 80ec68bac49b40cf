import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { BookingRow } from '../store.ts';

/**
 * The bookings, where a message of the driver in the ride's room since reaching the pick-up counts as
 * contact.
 */
export function contactsOf({ ports }: App, db: Db, bookings: readonly BookingRow[]): Promise<BookingRow[]> {
  return Promise.all(
    bookings.map(async (booking) => {
      const { rideId, driverId, state, reachedAt, contactedAt } = booking;
      if (state !== 'driver reached' || reachedAt === null || contactedAt !== null) return booking;
      return {
        ...booking,
        contactedAt: await ports.orders.wroteAt(db, { rideId, personId: driverId, since: reachedAt }),
      };
    }),
  );
}
