import type { z } from 'zod';
import { keptMs } from '#contract/privacy/retention.ts';
import type { listDeliveries as listCall, saveWebhook as saveCall } from '#contract/connect/webhooks.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { renewSecret, saveWebhook, webhookNotFound, sendAgain, sendTest } from './save-webhook.ts';
import * as store from './store.ts';
import { viewDelivery, viewWebhook } from './view.ts';

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
