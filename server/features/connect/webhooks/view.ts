import { testEvent, webhookEvents, type Webhook, type WebhookDelivery } from '#contract/connect/webhooks.ts';
import type { DeliveryRow, WebhookRow } from './store.ts';

export const viewWebhook = (row: WebhookRow, now: Date): Webhook => ({
  id: row.id,
  name: row.name,
  url: row.url,
  events: webhookEvents.filter((each) => row.events.includes(each)),
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  failingSince: row.failingSince?.toISOString() ?? null,
  lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
  formerSecretUntil:
    row.formerSecretUntil !== null && row.formerSecretUntil > now
      ? row.formerSecretUntil.toISOString()
      : null,
});

export const viewDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  webhookId: row.webhookId,
  event: webhookEvents.find((each) => each === row.event) ?? testEvent,
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  tries: row.tries,
  triedAt: row.triedAt?.toISOString() ?? null,
  nextAt: row.state === 'waiting' ? row.nextAt.toISOString() : null,
  status: row.status,
  trouble: row.trouble,
  body: row.body,
});
