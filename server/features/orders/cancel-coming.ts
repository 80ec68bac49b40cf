import type { Platform } from '../../platform/platform.ts';
import type { By } from './move-log.ts';
import type { Moves } from './moves.ts';
import type { BookingRow } from './store.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';

/** Cancels the place of a passenger who is not on board, free of charge. */
export function cancelComing(
  { platform, moves }: { platform: Platform; moves: Moves },
  locked: LockedOrders,
  booking: BookingRow,
  { by, reason }: { by: By; reason: string },
): void {
  // A meeting that one side has confirmed is undone first: the passenger is not on board yet.
  const met =
    booking.state === 'picking'
      ? moves.moveBooking(locked, booking, { move: 'undoMeet', by, set: { metBy: null } })
      : booking;
  const set = { fault: 'driver', reason, endedAt: platform.clock.now() } as const;
  moves.moveBooking(locked, met, { move: 'cancel', by, set, note: reason });
}
