import type { FastifyInstance } from 'fastify';
import * as directory from '#contract/connect/directory.ts';
import * as keys from '#contract/connect/keys.ts';
import * as webhooks from '#contract/connect/webhooks.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { serveScim, type ScimOptions } from './directory/scim-routes.ts';
import type { ConnectService } from './service.ts';

export function serveConnect(serve: Serve, connect: ConnectService): void {
  serve(keys.listKeys, () => connect.keys.keys());
  serve(keys.makeKey, (input, caller) => connect.keys.make(caller, input));
  serve(keys.endKeys, (input) => connect.keys.endByLink(input.code));
  serve(keys.revokeKey, (input, caller) => connect.keys.revoke(caller.userId, input.id));
  serve(webhooks.listWebhooks, () => connect.webhooks.webhooks());
  serve(webhooks.saveWebhook, (input, caller) => connect.webhooks.save(caller.userId, input));
  serve(webhooks.renewWebhookSecret, (input, caller) =>
    connect.webhooks.renewSecret(caller.userId, input.id),
  );
  serve(webhooks.removeWebhook, async (input, caller) => {
    await connect.webhooks.remove(caller.userId, input.id);
    return {};
  });
  serve(webhooks.listDeliveries, (input) => connect.webhooks.deliveries(input));
  serve(webhooks.testWebhook, (input) => connect.webhooks.test(input.id));
  serve(webhooks.sendAgain, (input) => connect.webhooks.again(input.id));
  serve(directory.readDirectory, () => connect.directory.read());
  serve(directory.mapGroup, (input, caller) => connect.directory.mapGroup(caller, input));
}

/** The SCIM calls of directories, which are not part of the contract. */
export const serveDirectories = (
  http: FastifyInstance,
  { directory }: ConnectService,
  options: Omit<ScimOptions, 'directory'>,
): Promise<void> => serveScim(http, { directory, ...options });
