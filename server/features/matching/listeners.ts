import type { App } from '../../app-type.ts';

/** Orders that were written wake the index, so that the next question waits less. */
export function listenForOpenOrders({ outbox, matching }: App): void {
  outbox.listen('index', { 'orders.written': true }, () => {
    matching.index.wake();
    return Promise.resolve();
  });
}
