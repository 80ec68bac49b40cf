import type { Platform } from '../../platform/platform.ts';
import type { MatchingService } from './service.ts';

const concerns = {
  'ride.moved': true,
  'request.moved': true,
  'orders.expired': true,
  'booking.moved': true,
  'order.edited': true,
} as const;

/** Signals that orders have moved wake the index, so that the next question waits less. */
export function listenForOpenOrders({ outbox }: Platform, { index }: MatchingService): void {
  outbox.listen('index', concerns, () => {
    index.wake();
    return Promise.resolve();
  });
}
