import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { id, instant, mostPerPage, nameLine, someOf } from '../units.ts';

/** What is told to other programs. The words never change: programs are written against them. */
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

/** The event of the test button, which is sent whatever events are chosen. */
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
  /** `paused` by an admin; `stopped` by itself, after it had failed for days or answered 410. */
  state: z.enum(['on', 'paused', 'stopped']),
  createdAt: instant,
  /** Since when every try has failed; null while it works. */
  failingSince: instant.nullable(),
  lastDeliveredAt: instant.nullable(),
  /** Until then the former secret signs as well; null where there is none. */
  formerSecretUntil: instant.nullable(),
});
export type Webhook = z.output<typeof webhook>;

const managed = { who: 'admin', permission: 'webhooks.manage' } as const;
const changes = [{ countedAs: 'webhooks', per: 'caller', most: 120, withinSeconds: hourSeconds }] as const;

export const listWebhooks = defineEndpoint({
  method: 'GET',
  path: '/admin/webhooks',
  ...managed,
  summary: 'Addresses of other programs that are told of events.',
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
    'Adds an address, with a new secret that is in this answer alone, or changes one. Only https to a public address.',
  limits: changes,
  input: z.object({
    /** Null for a new one. */
    id: id.nullable().default(null),
    name,
    url,
    events: someOf(z.enum(webhookEvents)).min(1, 'Please select at least one event.'),
    /** False pauses it; true starts one that has stopped again. */
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
  summary: 'Makes a new secret, in this answer alone. The former one signs as well for a day.',
  limits: changes,
  input: z.object({ id }),
  output: z.object({ webhook, secret: z.string() }),
  refusals: ['webhook.notFound'],
});

export const removeWebhook = defineEndpoint({
  method: 'POST',
  path: '/admin/remove-webhook',
  ...managed,
  summary: 'Removes an address with its log; nothing is sent there any more.',
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
  /** How often it was tried. */
  tries: count,
  triedAt: instant.nullable(),
  /** When it is tried again; null where it is not. */
  nextAt: instant.nullable(),
  /** The HTTP status of the last answer; null where none came. */
  status: count.nullable(),
  /** Why the last try failed, in the words of the program or the network; empty where it did not. */
  trouble: z.string(),
  /** What is sent, to the letter. */
  body: z.string(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

export const listDeliveries = defineEndpoint({
  method: 'GET',
  path: '/admin/webhook-deliveries',
  ...managed,
  summary: 'What was sent to one address in the last 30 days, the newest first.',
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
  summary: 'Sends a test event to an address, also while it is paused.',
  limits: changes,
  input: z.object({ id }),
  output: z.object({ delivery: webhookDelivery }),
  refusals: ['webhook.notFound'],
});

export const sendAgain = defineEndpoint({
  method: 'POST',
  path: '/admin/send-webhook-again',
  ...managed,
  summary: 'Sends a delivery once more, with the same id, whatever became of it.',
  limits: changes,
  input: z.object({ id }),
  output: z.object({ delivery: webhookDelivery }),
  refusals: ['webhook.deliveryNotFound', 'webhook.off'],
});
