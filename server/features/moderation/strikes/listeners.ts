import type { Platform } from '../../../platform/platform.ts';
import type { StrikesService } from './service.ts';

/**
 * A driver who lets somebody down is counted after the fact, so that counting never holds up a cancellation.
 */
export function listenForStrikes({ outbox }: Platform, strikes: StrikesService): void {
  outbox.on('booking.moved', 'strikes', async ({ payload: { bookingId, move, actor } }) => {
    // Whoever declines a proposed change leaves by themselves: without an answer the ride would have stood as
    // agreed.
    const cancelled = move === 'cancel' && actor !== 'passenger';
    if (cancelled || move === 'breakOff') await strikes.count(bookingId, 'driver');
  });
  outbox.on('driver.missed', 'strikes', ({ payload: { bookingId, by } }) => strikes.count(bookingId, by));
}
