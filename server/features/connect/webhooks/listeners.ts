import type { Platform } from '../../../platform/platform.ts';
import { eventConcerns, eventsOf } from './rules/events.ts';
import * as store from './store.ts';

/** Queues webhook deliveries for a batch of signals, one per event and webhook. */
export function listenForWebhooks({ db, clock, outbox }: Pick<Platform, 'db' | 'clock' | 'outbox'>): void {
  outbox.hearBatch('webhooks', eventConcerns, async (signals) => {
    const listening = (await store.allWebhooks(db)).filter(({ state }) => state === 'on');
    if (listening.length === 0) return;
    const told = signals
      .flatMap(eventsOf)
      .flatMap((event) =>
        listening
          .filter(({ events }) => events.includes(event.event))
          .map(({ id }) => ({ webhookId: id, event })),
      );
    await store.insertDeliveries(db, told, clock.now());
  });
}
