import type { Db } from '../../platform/database/db.ts';
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
  keysLeft: KeysLeftOf;
}

/** A person's API keys that stay valid when their password changes, and where one tap ends them. */
export interface KeysLeft {
  names: readonly string[];
  address: string;
}
/** Null for none. */
export type KeysLeftOf = (tx: Db, userId: string) => Promise<KeysLeft | null>;
