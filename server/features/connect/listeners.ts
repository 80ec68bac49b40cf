import type { App } from '../../app-type.ts';
import { eventConcerns, eventsOf } from './webhooks/rules/events.ts';
import * as store from './webhooks/store.ts';

/** Queues webhook deliveries for a batch of signals, one per event and webhook. */
export function listenForConnect({ db, clock, outbox }: App): void {
  outbox.listen('webhooks', eventConcerns, (signals) =>
    store.queueDeliveries(db, signals.flatMap(eventsOf), clock.now()),
  );
}
