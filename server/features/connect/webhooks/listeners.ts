import type { Platform } from '../../../platform/platform.ts';
import { eventConcerns, eventsOf } from './rules/events.ts';
import * as store from './store.ts';

/** Queues webhook deliveries for a batch of signals, one per event and webhook. */
export function listenForWebhooks({ clock, outbox }: Pick<Platform, 'clock' | 'outbox'>): void {
  outbox.writeBatch('webhooks', eventConcerns, (signals) =>
    Promise.resolve(store.queueingDeliveries(signals.flatMap(eventsOf), clock.now())),
  );
}
