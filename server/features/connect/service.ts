import { erasure as ofDirectory } from './directory/store.ts';
import { erasure as ofKeys } from './keys/store.ts';

export { noteSignInGroups } from './directory/follow-groups.ts';
export { createAuthenticateKey, keyHolder, shownKeys } from './keys/authenticate-key.ts';
export { keysLeft, makeKey, revokeKey } from './keys/manage-keys.ts';
export { openConnect } from './state.ts';
export { webhookGauges } from './webhooks/gauges.ts';
export {
  removeWebhook,
  renewSecret,
  saveWebhook,
  type WebhookWriter,
  sendTest,
  viewWebhook,
} from './webhooks/manage-webhooks.ts';
export { allWebhooks, sealedWebhooks } from './webhooks/store.ts';

/** Deletes or empties a person's rows in the tables of this feature when their account goes. */
export const erasure = { ...ofKeys, ...ofDirectory };
