import type { App } from '../../app-type.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import type { By } from './decide/move-log.ts';
import { moveBooking } from './decide/moves.ts';
import type { BookingRow } from './store.ts';

/** Cancels the place of a passenger who is not on board, free of charge. */
export function cancelComing(
  app: App,
  locked: LockedOrders,
  booking: BookingRow,
  { by, reason }: { by: By; reason: string },
): void {
  // A meeting that one side has confirmed is undone first: the passenger is not on board yet.
  const met =
    booking.state === 'picking'
      ? moveBooking(app, locked, booking, { move: 'undoMeet', by, set: { metBy: null } })
      : booking;
  const set = { fault: 'driver', reason, endedAt: app.clock.now() } as const;
  moveBooking(app, locked, met, { move: 'cancel', by, set, note: reason });
}
