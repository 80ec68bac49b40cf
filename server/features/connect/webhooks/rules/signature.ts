import { createHmac, randomBytes } from 'node:crypto';

const secretMark = 'whsec_';

/** A secret of 32 random bytes, as the receiver gets it. */
export const secretText = (secret: Uint8Array): string =>
  `${secretMark}${Buffer.from(secret).toString('base64')}`;

export const newWebhookSecret = (): Buffer => randomBytes(32);

/**
 * The headers with which a receiver checks sender and time (Standard Webhooks, standardwebhooks.com):
 * HMAC-SHA256 over the id, the seconds and the body, once with each secret.
 */
export function signedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  secrets: readonly Uint8Array[],
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}
