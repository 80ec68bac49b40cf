import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { mostWebhooks, type saveWebhook as call } from '#contract/connect/webhooks.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { troubleWithAddress } from '../../../platform/http/post-to-public-address.ts';
import type { Platform } from '../../../platform/platform.ts';
import { notFound, refuseField, Refusal } from '../../../platform/refusal.ts';
import type { AuditLog } from '../../../platform/security/audit-log.ts';
import { newSecretOf } from './secrets.ts';
import * as store from './store.ts';
import type { WebhookRow } from './store.ts';

/** The dependencies for changing webhooks, in the server or on the command line. */
export type WebhookWriter = Pick<Platform, 'env' | 'transact' | 'clock' | 'seal'> & {
  audit: Pick<AuditLog, 'note'>;
};

/** How long the server also signs with the former secret. */
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

export const webhookNotFound = () => notFound('webhook.notFound', 'We couldn’t find this webhook.');
