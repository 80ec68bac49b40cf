import type { Platform } from '../../platform/platform.ts';
import type { IdentityService } from '../identity/service.ts';
import { createKeys } from './keys/service.ts';

export { createAuthenticateKey } from './keys/service.ts';
export { makeKey } from './keys/make-key.ts';
export { revokeKey } from './keys/revoke-key.ts';
export { keyHolder, shownKeys } from './keys/shown-keys.ts';
export type ConnectService = ReturnType<typeof createConnect>;

/** What other programs reach of Sameway, and how. */
export function createConnect(platform: Platform, identity: IdentityService) {
  const keys = createKeys(platform, identity);
  return { keys, erasure: keys.erasure };
}
