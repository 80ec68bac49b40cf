import type { Platform } from '../../platform/platform.ts';
import type { NamedStatement } from '../../platform/database/db.ts';
import { newSecret } from '../../platform/security/session.ts';
import { createBreachedPasswords, type BreachedPasswords } from './breached-passwords.ts';
import { createOAuthProviders, type OAuthProviders } from './oauth-providers.ts';
import { hashPassword } from './password-hash.ts';
import type { IdentityPorts } from './ports.ts';
import { readingPeople } from './queries.ts';

/** State of this feature that lives as long as the process. */
export interface IdentityState {
  breached: BreachedPasswords;
  /** With the metadata of the providers that have been asked. */
  providers: OAuthProviders;
  /**
   * Sign-ins to unknown accounts are checked against this hash, so that they take as long as for known ones.
   */
  decoyHash: Promise<string>;
  /** Of `ids`. */
  readingPeople: NamedStatement;
}

export const openIdentity = (
  { env, log }: Platform,
  { licenseStatusOf }: Pick<IdentityPorts, 'licenseStatusOf'>,
): IdentityState => ({
  breached: createBreachedPasswords(env, log),
  providers: createOAuthProviders(env),
  decoyHash: hashPassword(newSecret()),
  readingPeople: readingPeople(licenseStatusOf),
});
