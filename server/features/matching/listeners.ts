import type { App } from '../../app-type.ts';

const concerns = {
  'ride.moved': true,
  'request.moved': true,
  'orders.expired': true,
  'booking.moved': true,
  'order.edited': true,
} as const;

/** Signals that orders have moved wake the index, so that the next question waits less. */
export function listenForOpenOrders({ outbox, matching }: App): void {
  outbox.listen('index', concerns, () => {
    matching.index.wake();
    return Promise.resolve();
  });
}
