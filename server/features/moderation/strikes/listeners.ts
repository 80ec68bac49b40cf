import type { Platform } from '../../../platform/platform.ts';
import type { StrikesService } from './service.ts';

/** Counts a driver's late cancellations afterward, so that counting never blocks a cancellation. */
export function listenForStrikes({ outbox }: Platform, strikes: StrikesService): void {
  outbox.on('booking.moved', 'strikes', async ({ payload: { bookingId, move, actor } }) => {
    // A passenger who declines a proposed change leaves by choice: without an answer the ride would have
    // stayed as agreed.
    const cancelled = move === 'cancel' && actor !== 'passenger';
    if (cancelled || move === 'breakOff') await strikes.count(bookingId, 'driver');
  });
  outbox.on('driver.missed', 'strikes', ({ payload: { bookingId, by } }) => strikes.count(bookingId, by));
}
