import type { SQL } from 'drizzle-orm';
import type { licenseStatuses } from '#contract/licenses/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';

/** Questions to features above this one. */
export interface IdentityPorts {
  /** The status of the license photos that a person sent last, in SQL. */
  licenseStatusOf(person: SQL): SQL<(typeof licenseStatuses)[number] | null>;
  /** Applies the groups that a sign-in provider names, before the session begins: they may give a role. */
  noteSignInGroups(of: { userId: string; issuer: string; groups: readonly string[] }): Promise<void>;
  /** A person's API keys that stay valid when their password changes; null for none. */
  keysLeft(tx: Db, userId: string): Promise<KeysLeft | null>;
}

/** API keys that stay valid, and where one tap ends them. */
export interface KeysLeft {
  names: readonly string[];
  address: string;
}
