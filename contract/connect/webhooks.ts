import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { id, instant, mostPerPage, nameLine, someOf } from '../units.ts';

/** The events that webhooks receive. Never rename one: other programs depend on the names. */
export const webhookEvents = [
  'ride.published',
  'ride.changed',
  'ride.canceled',
  'ride.finished',
  'booking.requested',
  'booking.invited',
  'booking.accepted',
  'booking.declined',
  'booking.canceled',
  'booking.finished',
  'person.joined',
  'person.suspended',
  'report.filed',
  'license.sent',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event of the test button. The server sends it whichever events the webhook receives. */
export const testEvent = 'test';

export const mostWebhooks = 20;
const name = nameLine(60, 'Please enter a name.');
const url = z.url('Please enter a web address.').max(500, 'Please enter up to 500 characters.');
const count = z.number().int();

export const webhook = z.object({
  id,
  name: z.string(),
  url: z.string(),
  events: someOf(z.enum(webhookEvents)),
  /** `paused`: by an admin. `stopped`: by the server, after two days of failures or an answer of 410. */
  state: z.enum(['on', 'paused', 'stopped']),
  createdAt: instant,
  /** When the current series of failures began; null while deliveries succeed. */
  failingSince: instant.nullable(),
  lastDeliveredAt: instant.nullable(),
  /** Until then the server signs with the former secret as well; null if there is none. */
  formerSecretUntil: instant.nullable(),
});
export type Webhook = z.output<typeof webhook>;

const managed = { who: 'admin', permission: 'webhooks.manage' } as const;
const changes = [{ countedAs: 'webhooks', per: 'caller', most: 120, withinSeconds: hourSeconds }] as const;

export const listWebhooks = defineEndpoint({
  method: 'GET',
  path: '/admin/webhooks',
  ...managed,
  summary: 'The webhooks: addresses that the server sends events to.',
  input: z.object({}),
  output: z.object({
    webhooks: z.array(webhook).max(mostWebhooks),
    /** Whether http to this machine is allowed (`WEBHOOKS_TO_LOOPBACK`). */
    allowsLoopback: z.boolean(),
  }),
  refusals: [],
});

export const saveWebhook = defineEndpoint({
  method: 'POST',
  path: '/admin/save-webhook',
  ...managed,
  stepUp: true,
  summary:
    'Adds or changes a webhook. Only the answer to adding one contains its signing secret. The address must be public and use https.',
  limits: changes,
  input: z.object({
    /** Null adds a webhook. */
    id: id.nullable().default(null),
    name,
    url,
    events: someOf(z.enum(webhookEvents)).min(1, 'Please select at least one event.'),
    /** False pauses the webhook; true also restarts one that has stopped. */
    isOn: z.boolean().default(true),
  }),
  output: z.object({ webhook, secret: z.string().nullable() }),
  refusals: ['webhook.notFound', 'webhook.tooMany', 'webhook.notHttps', 'webhook.notPublic'],
});

export const renewWebhookSecret = defineEndpoint({
  method: 'POST',
  path: '/admin/renew-webhook-secret',
  ...managed,
  stepUp: true,
  summary:
    'Makes a new signing secret, which only this answer contains. For one day, the server signs with the old one as well.',
  limits: changes,
  input: z.object({ id }),
  output: z.object({ webhook, secret: z.string() }),
  refusals: ['webhook.notFound'],
});

export const removeWebhook = defineEndpoint({
  method: 'POST',
  path: '/admin/remove-webhook',
  ...managed,
  summary: 'Removes a webhook and its log.',
  limits: changes,
  input: z.object({ id }),
  output: z.object({}),
  refusals: ['webhook.notFound'],
});

export const webhookDelivery = z.object({
  id,
  webhookId: id,
  /** `test` is the event of the test button. */
  event: z.enum([...webhookEvents, testEvent]),
  state: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: instant,
  /** How many attempts were made. */
  tries: count,
  triedAt: instant.nullable(),
  /** The time of the next attempt; null if there is none. */
  nextAt: instant.nullable(),
  /** The HTTP status of the last answer; null if there was no answer. */
  status: count.nullable(),
  /** Why the last attempt failed, as the receiver or the network reported it; empty if it did not fail. */
  trouble: z.string(),
  /** The exact request body. */
  body: z.string(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

export const listDeliveries = defineEndpoint({
  method: 'GET',
  path: '/admin/webhook-deliveries',
  ...managed,
  summary: 'The deliveries of one webhook in the last 30 days, the newest first.',
  input: z.object({
    webhookId: id,
    only: z.enum(['all', 'waiting', 'failed']).default('all'),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    size: z.coerce.number().int().min(1).max(100).default(30),
  }),
  output: z.object({ deliveries: z.array(webhookDelivery).max(mostPerPage), total: count }),
  refusals: ['webhook.notFound'],
});

export const testWebhook = defineEndpoint({
  method: 'POST',
  path: '/admin/test-webhook',
  ...managed,
  summary: 'Sends a test event to a webhook, even if it is paused.',
  limits: changes,
  input: z.object({ id }),
  output: z.object({ delivery: webhookDelivery }),
  refusals: ['webhook.notFound'],
});

export const sendAgain = defineEndpoint({
  method: 'POST',
  path: '/admin/send-webhook-again',
  ...managed,
  summary: 'Sends a delivery again with the same id, whether or not it was delivered.',
  limits: changes,
  input: z.object({ id }),
  output: z.object({ delivery: webhookDelivery }),
  refusals: ['webhook.deliveryNotFound', 'webhook.off'],
});
