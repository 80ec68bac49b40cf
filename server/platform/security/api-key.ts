import { keyMark } from '#contract/connect/keys.ts';
import { keyNeedOf, type KeyNeed } from '#contract/connect/scopes.ts';
import type { Endpoint } from '#contract/define.ts';
import type { Caller, CallerKey } from '../http/caller.ts';
import { Refusal } from '../refusal.ts';

/** A caller who uses an API key. */
export type KeyCaller = Caller & { key: CallerKey };

/**
 * Finds the person that an API key acts for, and records its use from a network. Refuses `key.unknown`,
 * `key.revoked`, `key.expired` and `access.suspended`.
 */
export type AuthenticateKey = (secret: string, network: string) => Promise<KeyCaller>;

/** Whether a bearer token is an API key rather than the access token of a session. */
export const isApiKey = (token: string): boolean => token.startsWith(keyMark);

/** Refuses `key.never` for a call that accepts no keys, and `key.scope` if the key lacks the scope. */
export function requireScope(endpoint: Endpoint, key: CallerKey): void {
  const need = keyNeedOf(endpoint);
  if (need === 'never')
    throw new Refusal('key.never', 'No API key can make this call. A person has to sign in for it.', {
      code: 403,
    });
  if (!isGiven(need, key))
    throw new Refusal('key.scope', `This API key needs the scope ${need} for this call.`, {
      code: 403,
      data: { scope: need },
    });
}

const isGiven = (need: Exclude<KeyNeed, 'never'>, { scopes }: CallerKey): boolean =>
  need === 'any' || scopes.includes(need);
