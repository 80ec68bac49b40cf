import type { Platform } from '../../platform/platform.ts';
import type { BreachedPasswords } from './breached-passwords.ts';
import type { Codes } from './codes.ts';

/** What the commands about accounts use. */
export interface IdentityContext {
  platform: Platform;
  codes: Codes;
  breached: BreachedPasswords;
  /**
   * Sign-ins to unknown accounts are checked against this hash, so that they take as long as for known ones.
   */
  decoyHash: Promise<string>;
}
