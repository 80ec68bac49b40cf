import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import type { By } from './move-log.ts';
import type { Moves } from './moves.ts';
import type { BookingRow } from './store.ts';

/** Cancels the place of a passenger who is not on board, free of charge. */
export async function cancelComing(
  { clock, moves }: { clock: Clock; moves: Moves },
  tx: Db,
  booking: BookingRow,
  { by, reason }: { by: By; reason: string },
): Promise<void> {
  // A meeting that one side has confirmed is undone first: the passenger is not on board yet.
  const met =
    booking.state === 'picking'
      ? await moves.moveBooking(tx, booking, { move: 'undoMeet', by, set: { metBy: null } })
      : booking;
  const set = { fault: 'driver', reason, endedAt: clock.now() } as const;
  await moves.moveBooking(tx, met, { move: 'cancel', by, set, note: reason });
}
