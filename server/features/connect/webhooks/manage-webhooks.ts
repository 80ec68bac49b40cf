import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { keptMs } from '#contract/privacy/retention.ts';
import {
  type listDeliveries as listCall,
  type saveWebhook as saveCall,
  mostWebhooks,
  type saveWebhook as call,
  testEvent,
  webhookEvents,
  type Webhook,
  type WebhookDelivery,
} from '#contract/connect/webhooks.ts';
import type { App } from '../../../app-type.ts';
import { later, dayMs } from '../../../platform/clock.ts';
import { troubleWithAddress } from '../../../platform/http/post-to-public-address.ts';
import type { Platform } from '../../../platform/platform.ts';
import { notFound, refuseField, Refusal } from '../../../platform/refusal.ts';
import type { AuditLog } from '../../../platform/security/audit-log.ts';
import type { Seal } from '../../../platform/security/seal.ts';
import { bodyOf } from './rules/events.ts';
import { newWebhookSecret, secretText } from './rules/signature.ts';
import * as store from './store.ts';
import { type WebhookRow, type DeliveryRow, sealedFor } from './store.ts';

export async function listWebhooks(app: App) {
  const webhooks = (await store.allWebhooks(app.db)).map((row) => view(app, row));
  return { webhooks, allowsLoopback: app.env.WEBHOOKS_TO_LOOPBACK };
}

/** Creates or changes a webhook. Only the answer to its creation contains the secret. */
export async function saveShownWebhook(app: App, adminId: string, input: z.output<typeof saveCall.input>) {
  const { row, secret } = await saveWebhook(app, adminId, input);
  return { webhook: view(app, row), secret };
}

/** Gives a webhook a new secret, which only the answer contains. */
export async function renewShownSecret(app: App, adminId: string, id: string) {
  const { row, secret } = await renewSecret(app, adminId, id);
  return { webhook: view(app, row), secret };
}

export async function listDeliveries({ db }: App, input: z.output<typeof listCall.input>) {
  if ((await store.findWebhook(db, input.webhookId)) === null) throw webhookNotFound();
  const { rows, total } = await store.deliveryPage(db, input);
  return { deliveries: rows.map(viewDelivery), total };
}

export const testWebhook = async (app: App, id: string) => ({
  delivery: viewDelivery(await sendTest(app, id)),
});

export const repeatDelivery = async (app: App, id: string) => ({
  delivery: viewDelivery(await sendAgain(app, id)),
});

export const clearOldDeliveries = ({ db, clock }: App) =>
  store.clearOld(db, later(clock.now(), -keptMs('webhookLog')));

const view = ({ clock }: App, row: store.WebhookRow) => viewWebhook(row, clock.now());

/** The dependencies for changing webhooks, in the server or on the command line. */
export type WebhookWriter = Pick<Platform, 'env' | 'transact' | 'clock' | 'seal'> & {
  audit: Pick<AuditLog, 'note'>;
};

/** Time during which the server also signs with the former secret. */
const formerLifeMs = dayMs;

/**
 * Adds a webhook with a new secret, or changes one (null secret). Refuses what the call refuses.
 * @param adminId null for the command line.
 */
export async function saveWebhook(
  { env, transact, clock, seal, audit }: WebhookWriter,
  adminId: string | null,
  { id, isOn, ...fields }: z.output<typeof call.input>,
): Promise<{ row: WebhookRow; secret: string | null }> {
  const trouble = troubleWithAddress(fields.url, env.WEBHOOKS_TO_LOOPBACK);
  if (trouble === 'notHttps')
    throw refuseField('webhook.notHttps', 'url', 'Please enter an address that starts with https://.');
  if (trouble === 'notPublic')
    throw refuseField('webhook.notPublic', 'url', 'Please enter an address that other networks can reach.');
  const state = isOn ? ('on' as const) : ('paused' as const);
  const deed = {
    adminId,
    personId: null,
    note: `${fields.name} (${fields.url})`,
    action: 'webhook.saved' as const,
  };
  const newId = randomUUID();
  const { sealed, text } = await newSecretOf(seal, newId);
  return transact('save webhook', async (tx) => {
    if (id === null) {
      if ((await store.holdCount(tx)) >= mostWebhooks)
        throw new Refusal(
          'webhook.tooMany',
          `There can be up to ${mostWebhooks} webhooks. Remove one first.`,
          {
            code: 409,
          },
        );
      const fresh = { ...fields, id: newId, state, secret: sealed, createdAt: clock.now() };
      await audit.note(tx, { ...deed, thingId: newId });
      return { row: await store.insertWebhook(tx, fresh), secret: text };
    }
    const before = await store.holdWebhook(tx, id);
    if (before === null) throw webhookNotFound();
    await audit.note(tx, { ...deed, thingId: id });
    const goesOn = state === 'on' && before.state !== 'on' ? { failingSince: null } : {};
    // The changed field may be what was wrong.
    const set = { ...fields, state, ...goesOn, restsUntil: null };
    return { row: await store.updateWebhook(tx, id, set), secret: null };
  });
}

/**
 * Gives a webhook a new secret. The server signs with the former one as well for a day. Refuses
 * `webhook.notFound`.
 */
export async function renewSecret(
  { transact, clock, seal, audit }: WebhookWriter,
  adminId: string | null,
  id: string,
): Promise<{ row: WebhookRow; secret: string }> {
  const { sealed, text } = await newSecretOf(seal, id);
  return transact('renew secret', async (tx) => {
    const before = await store.holdWebhook(tx, id);
    if (before === null) throw webhookNotFound();
    const note = `${before.name} (${before.url})`;
    await audit.note(tx, { adminId, personId: null, action: 'webhook.secretRenewed', thingId: id, note });
    const row = await store.updateWebhook(tx, id, {
      secret: sealed,
      formerSecret: before.secret,
      formerSecretUntil: later(clock.now(), formerLifeMs),
    });
    return { row, secret: text };
  });
}

/** Removes a webhook and its log. Refuses `webhook.notFound`. */
export async function removeWebhook(
  { transact, audit }: Pick<WebhookWriter, 'transact' | 'audit'>,
  adminId: string | null,
  id: string,
): Promise<void> {
  await transact('remove webhook', async (tx) => {
    const row = await store.holdWebhook(tx, id);
    if (row === null) throw webhookNotFound();
    const note = `${row.name} (${row.url})`;
    await audit.note(tx, { adminId, personId: null, action: 'webhook.removed', thingId: id, note });
    await store.deleteWebhook(tx, id);
  });
}

const webhookNotFound = () => notFound('webhook.notFound', 'We couldn’t find this webhook.');

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
async function sendAgain({ transact, clock }: App, id: string): Promise<DeliveryRow> {
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

/** A new secret of a webhook: encrypted for the database, and as text for the receiver. */
async function newSecretOf(seal: Seal, id: string): Promise<{ sealed: string; text: string }> {
  const secret = newWebhookSecret();
  return { sealed: await seal.seal(secret, sealedFor(id)), text: secretText(secret) };
}

/** The secrets that sign at an instant, the newest first. */
export async function secretsOf(
  seal: Seal,
  { id, secret, formerSecret, formerSecretUntil }: WebhookRow,
  at: Date,
): Promise<Buffer[]> {
  const isFormerValid = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > at;
  const sealed = isFormerValid ? [secret, formerSecret] : [secret];
  return Promise.all(sealed.map((each) => seal.open(each, sealedFor(id))));
}

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

const viewDelivery = (row: DeliveryRow): WebhookDelivery => ({
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
