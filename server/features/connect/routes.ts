import * as directory from '#contract/connect/directory.ts';
import * as keys from '#contract/connect/keys.ts';
import * as webhooks from '#contract/connect/webhooks.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { mapGroup, shownDirectory } from './directory/map-group.ts';
import { listKeys, makeOwnKey, revokeKeyById } from './keys/admin-keys.ts';
import { endKeys } from './keys/keys-left.ts';
import {
  listWebhooks,
  saveShownWebhook,
  renewShownSecret,
  listDeliveries,
  testWebhook,
  repeatDelivery,
} from './webhooks/admin-webhooks.ts';
import { removeWebhook } from './webhooks/save-webhook.ts';

export function serveConnect(serve: Serve, app: App): void {
  serve(keys.listKeys, async () => ({ keys: await listKeys(app) }));
  serve(keys.makeKey, (input, caller) => makeOwnKey(app, caller, input));
  serve(keys.endKeys, async (input) => ({ ended: await endKeys(app, input.code) }));
  serve(keys.revokeKey, (input, caller) => revokeKeyById(app, caller.userId, input.id));
  serve(webhooks.listWebhooks, () => listWebhooks(app));
  serve(webhooks.saveWebhook, (input, caller) => saveShownWebhook(app, caller.userId, input));
  serve(webhooks.renewWebhookSecret, (input, caller) => renewShownSecret(app, caller.userId, input.id));
  serve(webhooks.removeWebhook, async (input, caller) => {
    await removeWebhook(app, caller.userId, input.id);
    return {};
  });
  serve(webhooks.listDeliveries, (input) => listDeliveries(app, input));
  serve(webhooks.testWebhook, (input) => testWebhook(app, input.id));
  serve(webhooks.sendAgain, (input) => repeatDelivery(app, input.id));
  serve(directory.readDirectory, () => shownDirectory(app));
  serve(directory.mapGroup, async (input, caller) => ({
    roles: await mapGroup(app, { id: caller.userId, role: caller.staffRole }, input),
  }));
}
