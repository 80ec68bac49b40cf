import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { id, instant, nameLine, someOf } from '../units.ts';
import { person } from '../user/endpoints.ts';
import { scopes, type Scope } from './scopes.ts';

/** The prefix of every key, by which secret scanners recognize it. */
export const keyMark = 'sameway_';
export const keyNameLength = 60;
/** The most valid keys that one person can have. */
export const mostKeys = 50;
/** The most keys in the list, of everyone, including ended ones. */
export const mostKeysShown = 500;
/** The default rate limit of a key. */
export const usualCallsPerMinute = 120;

const scope = z.enum(scopes as [Scope, ...Scope[]]);

export const apiKey = z.object({
  id,
  name: z.string(),
  /** The key’s first and last characters: `sameway_Ab3d…Qx7z`. */
  shown: z.string(),
  scopes: someOf(scope),
  callsPerMinute: z.number().int(),
  /** The owner of the key: calls with it act for this person. */
  person,
  state: z.enum(['valid', 'expired', 'revoked']),
  createdAt: instant,
  /** Null: valid until it is revoked. */
  expiresAt: instant.nullable(),
  /** Accurate to the minute; null if the key was never used. */
  usedAt: instant.nullable(),
  /** The network that last used the key: a prefix of the address. Empty if it is not known. */
  network: z.string(),
  revokedAt: instant.nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

export const listKeys = defineEndpoint({
  method: 'GET',
  path: '/admin/keys',
  who: 'admin',
  permission: 'keys.manage',
  summary: 'The API keys of everyone on the team, the newest first, without their secrets.',
  input: z.object({}),
  output: z.object({ keys: z.array(apiKey).max(mostKeysShown) }),
  refusals: [],
});

export const makeKey = defineEndpoint({
  method: 'POST',
  path: '/admin/make-key',
  who: 'admin',
  permission: 'keys.manage',
  stepUp: true,
  summary:
    'Makes an API key that acts for the caller within these scopes. Only this answer contains the key.',
  limits: [{ countedAs: 'keys', per: 'caller', most: 60, withinSeconds: hourSeconds }],
  input: z.object({
    name: nameLine(keyNameLength, 'Please enter a name.'),
    scopes: someOf(scope).min(1, 'Please select at least one scope.'),
    /** Null: valid until it is revoked. */
    days: z.number().int().min(1).max(3650).nullable().default(90),
    callsPerMinute: z.number().int().min(1).max(6000).default(usualCallsPerMinute),
  }),
  output: z.object({ key: apiKey, secret: z.string() }),
  refusals: ['key.scopeTooHigh', 'key.tooMany'],
});

export const revokeKey = defineEndpoint({
  method: 'POST',
  path: '/admin/revoke-key',
  who: 'admin',
  permission: 'keys.manage',
  summary: 'Revokes an API key. The server refuses it from the next call on.',
  input: z.object({ id }),
  output: z.object({ key: apiKey }),
  refusals: ['key.notFound'],
});

export const endKeys = defineEndpoint({
  method: 'POST',
  path: '/access/end-keys',
  who: 'guest',
  summary:
    'Revokes all API keys of a person without signing in, with the code from the email about their new password.',
  limits: [{ countedAs: 'endKeys', per: 'network', most: 60, withinSeconds: hourSeconds }],
  input: z.object({ code: z.string().max(300) }),
  output: z.object({ ended: z.number().int().min(0).max(mostKeys) }),
  refusals: ['link.notFound'],
});
