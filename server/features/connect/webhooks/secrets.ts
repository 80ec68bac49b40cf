import type { Seal } from '../../../platform/security/seal.ts';
import { newWebhookSecret, secretText } from './rules/signature.ts';
import type { WebhookRow } from './store.ts';

const nameOf = (id: string): string => `webhook:${id}`;

/** A new secret of an address: sealed as it is kept, and as its receiver is given it. */
export async function newSecretOf(seal: Seal, id: string): Promise<{ sealed: string; text: string }> {
  const secret = newWebhookSecret();
  return { sealed: await seal.seal(secret, nameOf(id)), text: secretText(secret) };
}

/** What signs at an instant, the newest first. */
export async function secretsOf(
  seal: Seal,
  { id, secret, formerSecret, formerSecretUntil }: WebhookRow,
  at: Date,
): Promise<Buffer[]> {
  const isFormerValid = formerSecret !== null && formerSecretUntil !== null && formerSecretUntil > at;
  const sealed = isFormerValid ? [secret, formerSecret] : [secret];
  return Promise.all(sealed.map((each) => seal.open(each, nameOf(id))));
}
