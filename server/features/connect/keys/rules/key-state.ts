import type { ApiKey } from '#contract/connect/keys.ts';

/** What a key is worth at an instant. A key that was revoked stays so after its end. */
export function keyStateOf(
  { revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null },
  now: Date,
): ApiKey['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid';
}
