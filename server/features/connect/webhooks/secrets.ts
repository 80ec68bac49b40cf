import type { Seal } from '../../../platform/security/seal.ts';
import { newWebhookSecret, secretText } from './rules/signature.ts';
import { sealedFor, type WebhookRow } from './store.ts';

/** A new secret of a webhook: encrypted for the database, and as text for the receiver. */
export async function newSecretOf(seal: Seal, id: string): Promise<{ sealed: string; text: string }> {
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
