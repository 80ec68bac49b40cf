import type { Platform } from '../../platform/platform.ts';
import type { MatchingService } from './service.ts';

/** Every signal that an order has moved wakes the index, so that the next question waits less. */
export function listenForOpenOrders({ outbox }: Platform, { index }: MatchingService): void {
  const wake = () => {
    index.wake();
    return Promise.resolve();
  };
  outbox.on('ride.moved', 'index', wake);
  outbox.on('request.moved', 'index', wake);
  outbox.on('orders.expired', 'index', wake);
  outbox.on('booking.moved', 'index', wake);
  outbox.on('order.edited', 'index', wake);
}
