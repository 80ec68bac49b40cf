import type { Platform } from '../../../platform/platform.ts';
import { eventConcerns, eventsOf } from './rules/events.ts';
import * as store from './store.ts';

/** Queues webhook deliveries for a batch of signals, one per event and webhook. */
export function listenForWebhooks({ db, clock, outbox }: Pick<Platform, 'db' | 'clock' | 'outbox'>): void {
  outbox.listen('webhooks', eventConcerns, (signals) =>
    store.queueDeliveries(db, signals.flatMap(eventsOf), clock.now()),
  );
}
