import type { Base } from '../../base/base.ts';
import type { BookingsService } from './service.ts';

/** A block ends what waits for an answer between the two; rides that both have joined go on. */
export function listenForBlocks({ outbox }: Base, bookings: BookingsService): void {
  outbox.on('contact.moved', 'bookings', async ({ payload: { move, actorId, otherId } }) => {
    if (move === 'blocked') await bookings.part(actorId, otherId);
  });
}
