import { dayStates } from '#contract/rides/moves.ts';

import type { BookingRow } from '../store.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';

/** Whether the booking's day was under way: its outcome is unknown to the server. */
export const isOpen = ({ state }: BookingRow): boolean => dayStates.includes(state);

/** Emits that both sides of a booking were asked, or that one has answered. */
export const emitUnclear = (
  locked: LockedOrders,
  { id: bookingId, rideId, requestId, driverId, passengerId }: BookingRow,
  what: 'asked' | 'answered',
): void =>
  locked.emit('booking.unclear', { bookingId, rideId, requestId, driverId, passengerId, what }, rideId);
