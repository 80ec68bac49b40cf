import type { BookingRow } from './queries.ts';

/** Whose a booking is, and of which orders: that never changes. */
export type BookingSides = Pick<BookingRow, 'id' | 'rideId' | 'requestId' | 'driverId' | 'passengerId'>;

const mostKnown = 20_000;
const known = new Map<string, BookingSides>();

/**
 * Notes the sides of a booking, so that the call that answers it begins with its lock. Its id is drawn once:
 * where its transaction was rolled back there is no booking of that id.
 */
export function noteSides({ id, rideId, requestId, driverId, passengerId }: BookingSides): void {
  if (known.size >= mostKnown) known.delete(known.keys().next().value!);
  known.set(id, { id, rideId, requestId, driverId, passengerId });
}

/** The sides of a booking that was opened in this process lately; null for others. */
export const sidesOf = (bookingId: string): BookingSides | null => known.get(bookingId) ?? null;
