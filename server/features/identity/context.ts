import type { Platform } from '../../platform/platform.ts';
import type { Codes } from './codes.ts';

/** What the commands of accounts work with. */
export interface IdentityContext {
  platform: Platform;
  codes: Codes;
  /**
   * Passwords of unknown accounts are checked against this one, so that an answer takes as long as for a
   * known one.
   */
  decoyHash: Promise<string>;
}
