import type { App } from '../../app-type.ts';
import { createKeys } from './keys/service.ts';
import { createDirectory } from './directory/service.ts';
import { createWebhooks } from './webhooks/service.ts';

export { createAuthenticateKey } from './keys/service.ts';
export { noteSignInGroups } from './directory/service.ts';
export { keysLeft } from './keys/keys-left.ts';
export { makeKey } from './keys/make-key.ts';
export { revokeKey } from './keys/revoke-key.ts';
export { keyHolder, shownKeys } from './keys/shown-keys.ts';
export { removeWebhook, renewSecret, saveWebhook, type WebhookWriter } from './webhooks/save-webhook.ts';
export { sendTest } from './webhooks/send-again.ts';
export { allWebhooks, sealedWebhooks } from './webhooks/store.ts';
export { viewWebhook } from './webhooks/view.ts';
export type ConnectService = ReturnType<typeof createConnect>;

/** The ways in which other programs connect to Sameway. */
export function createConnect(platform: App) {
  const keys = createKeys(platform);
  const directory = createDirectory(platform);
  const erasure = { ...keys.erasure, ...directory.erasure };
  return { keys, webhooks: createWebhooks(platform), directory, erasure };
}
