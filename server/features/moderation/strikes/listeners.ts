import type { Platform } from '../../../platform/platform.ts';
import type { StrikesService } from './service.ts';

/** Counts a driver's late cancellations afterward, so that counting never blocks a cancellation. */
export function listenForStrikes({ outbox }: Platform, strikes: StrikesService): void {
  outbox.on(
    'booking.moved',
    'strikes',
    ({ payload: { bookingId } }) => strikes.count(bookingId, 'driver'),
    // A passenger who declines a proposed change leaves by choice: without an answer the ride would have
    // stayed as agreed.
    ({ move, actor }) => (move === 'cancel' && actor !== 'passenger') || move === 'breakOff',
  );
  outbox.on('driver.missed', 'strikes', ({ payload: { bookingId, by } }) => strikes.count(bookingId, by));
}
