import type { Platform } from '../../platform/platform.ts';
import { newSecret } from '../../platform/security/session.ts';
import { createBreachedPasswords, type BreachedPasswords } from './breached-passwords.ts';
import { createOAuthProviders, type OAuthProviders } from './oauth-providers.ts';
import { hashPassword } from './password-hash.ts';

/** State of this feature that lives as long as the process. */
export interface IdentityState {
  breached: BreachedPasswords;
  /** With the metadata of the providers that have been asked. */
  providers: OAuthProviders;
  /**
   * Sign-ins to unknown accounts are checked against this hash, so that they take as long as for known ones.
   */
  decoyHash: Promise<string>;
}

export const openIdentity = ({ env, log }: Platform): IdentityState => ({
  breached: createBreachedPasswords(env, log),
  providers: createOAuthProviders(env),
  decoyHash: hashPassword(newSecret()),
});
