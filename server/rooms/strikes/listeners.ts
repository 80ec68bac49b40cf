import type { Base } from '../../base/base.ts';
import type { StrikesService } from './service.ts';

/** A driver who lets somebody down is counted after the fact, so that counting never holds up a cancellation. */
export function listenForStrikes({ outbox }: Base, strikes: StrikesService): void {
  outbox.on('booking.moved', 'strikes', async ({ payload: { bookingId, move } }) => {
    if (move === 'cancel' || move === 'reportDriver') await strikes.count(bookingId);
  });
}
