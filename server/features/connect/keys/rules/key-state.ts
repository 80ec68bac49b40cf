import type { ApiKey } from '#contract/connect/keys.ts';

/** The state of a key at an instant. A revoked key stays revoked after its expiry. */
export function keyStateOf(
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null },
  now: Date,
): ApiKey['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid';
}
