import type { App } from '../../../app-type.ts';
import { keptMs } from '#contract/privacy/retention.ts';
import type { z } from 'zod';
import type { listDeliveries, saveWebhook as saveCall } from '#contract/connect/webhooks.ts';
import { later } from '../../../platform/clock.ts';
import { createDeliverer } from './deliver.ts';
import { webhookGauges } from './gauges.ts';
import { removeWebhook, renewSecret, saveWebhook, webhookNotFound } from './save-webhook.ts';
import { sendAgain, sendTest } from './send-again.ts';
import * as store from './store.ts';
import { viewDelivery, viewWebhook } from './view.ts';

/** Webhooks: addresses that the server sends events to. */
export function createWebhooks(platform: App) {
  const { db, clock, env } = platform;
  for (const gauge of webhookGauges(db, clock)) platform.metrics.addGauge(gauge);
  const view = (row: store.WebhookRow) => viewWebhook(row, clock.now());
  return {
    async webhooks() {
      const webhooks = (await store.allWebhooks(db)).map(view);
      return { webhooks, allowsLoopback: env.WEBHOOKS_TO_LOOPBACK };
    },

    async save(adminId: string, input: z.output<typeof saveCall.input>) {
      const { row, secret } = await saveWebhook(platform, adminId, input);
      return { webhook: view(row), secret };
    },

    async renewSecret(adminId: string, id: string) {
      const { row, secret } = await renewSecret(platform, adminId, id);
      return { webhook: view(row), secret };
    },

    remove: (adminId: string, id: string) => removeWebhook(platform, adminId, id),

    async deliveries(input: z.output<typeof listDeliveries.input>) {
      if ((await store.findWebhook(db, input.webhookId)) === null) throw webhookNotFound();
      const { rows, total } = await store.deliveryPage(db, input);
      return { deliveries: rows.map(viewDelivery), total };
    },

    test: async (id: string) => ({ delivery: viewDelivery(await sendTest(platform, id)) }),
    again: async (id: string) => ({ delivery: viewDelivery(await sendAgain(platform, id)) }),

    /** Sends due deliveries. */
    work: createDeliverer(platform),
    clearOld: () => store.clearOld(db, later(clock.now(), -keptMs('webhookLog'))),
  };
}
