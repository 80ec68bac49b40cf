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
export { erasure } from './erasure.ts';
