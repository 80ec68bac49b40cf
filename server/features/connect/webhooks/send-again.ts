import { randomUUID } from 'node:crypto';
import { testEvent } from '#contract/connect/webhooks.ts';
import type { App } from '../../../app-type.ts';
import type { Platform } from '../../../platform/platform.ts';
import { notFound, Refusal } from '../../../platform/refusal.ts';
import { bodyOf } from './rules/events.ts';
import { webhookNotFound } from './save-webhook.ts';
import * as store from './store.ts';
import type { DeliveryRow } from './store.ts';

/** Queues a test event for a webhook. Refuses `webhook.notFound`. */
export async function sendTest(
  { transact, clock }: Pick<Platform, 'transact' | 'clock'>,
  webhookId: string,
): Promise<DeliveryRow> {
  return transact('send test', async (tx) => {
    const webhook = await store.findWebhook(tx, webhookId);
    if (webhook === null) throw webhookNotFound();
    const [id, now] = [randomUUID(), clock.now()];
    const body = bodyOf({ event: testEvent, at: now, data: { webhookId } });
    const made = { id, webhookId, source: `test:${id}`, event: testEvent, body, state: 'waiting' as const };
    return store.insertDelivery(tx, { ...made, createdAt: now, nextAt: now });
  });
}

/**
 * Queues a delivery again, with the same id. Refuses `webhook.deliveryNotFound`, and `webhook.off` while its
 * webhook is off.
 */
export async function sendAgain({ transact, clock }: App, id: string): Promise<DeliveryRow> {
  return transact('send again', async (tx) => {
    const delivery = await store.findDelivery(tx, id);
    const webhook = delivery === null ? null : await store.findWebhook(tx, delivery.webhookId);
    if (delivery === null || webhook === null)
      throw notFound('webhook.deliveryNotFound', 'We couldn’t find this delivery.');
    if (webhook.state !== 'on' && delivery.event !== testEvent)
      throw new Refusal('webhook.off', 'This webhook is off. Turn it on first.', { code: 409 });
    return (await store.sendAgain(tx, id, clock.now()))!;
  });
}
