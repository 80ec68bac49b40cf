import * as directory from '#contract/connect/directory.ts';
import * as keys from '#contract/connect/keys.ts';
import * as webhooks from '#contract/connect/webhooks.ts';
import type { Serve } from '../../app-type.ts';
import { mapGroup, shownDirectory } from './directory/follow-groups.ts';
import { listKeys, makeOwnKey, revokeKeyById, endKeys } from './keys/manage-keys.ts';
import {
  listWebhooks,
  saveShownWebhook,
  renewShownSecret,
  listDeliveries,
  testWebhook,
  repeatDelivery,
  removeWebhook,
} from './webhooks/manage-webhooks.ts';

export function serveConnect(serve: Serve): void {
  serve(keys.listKeys, async (app) => ({ keys: await listKeys(app) }));
  serve(keys.makeKey, (app, input, caller) => makeOwnKey(app, caller, input));
  serve(keys.endKeys, async (app, input) => ({ ended: await endKeys(app, input.code) }));
  serve(keys.revokeKey, (app, input, caller) => revokeKeyById(app, caller.userId, input.id));
  serve(webhooks.listWebhooks, (app) => listWebhooks(app));
  serve(webhooks.saveWebhook, (app, input, caller) => saveShownWebhook(app, caller.userId, input));
  serve(webhooks.renewWebhookSecret, (app, input, caller) => renewShownSecret(app, caller.userId, input.id));
  serve(webhooks.removeWebhook, (app, input, caller) => removeWebhook(app, caller.userId, input.id));
  serve(webhooks.listDeliveries, (app, input) => listDeliveries(app, input));
  serve(webhooks.testWebhook, (app, input) => testWebhook(app, input.id));
  serve(webhooks.sendAgain, (app, input) => repeatDelivery(app, input.id));
  serve(directory.readDirectory, (app) => shownDirectory(app));
  serve(directory.mapGroup, async (app, input, caller) => ({
    roles: await mapGroup(app, { id: caller.userId, role: caller.staffRole }, input),
  }));
}
