import { z } from 'zod';
import { defineEndpoint, hourSeconds } from '../define.ts';
import { id, instant, nameLine, someOf } from '../units.ts';
import { person } from '../user/endpoints.ts';
import { scopes, type Scope } from './scopes.ts';

/** What every key begins with: programs that look for secrets in texts recognize it. */
export const keyMark = 'sameway_';
export const keyNameLength = 60;
/** So many keys of one person may be valid at a time. */
export const mostKeys = 50;
/** So many are listed, of everybody and ended ones too. */
export const mostKeysShown = 500;
/** Calls a minute, where nothing else is asked for. */
export const usualCallsPerMinute = 120;

const scope = z.enum(scopes as [Scope, ...Scope[]]);

export const apiKey = z.object({
  id,
  name: z.string(),
  /** Its first and last letters: `sameway_Ab3d…Qx7z`. */
  shown: z.string(),
  scopes: someOf(scope),
  callsPerMinute: z.number().int(),
  /** Whom it acts for. */
  person,
  state: z.enum(['valid', 'expired', 'revoked']),
  createdAt: instant,
  /** Null for one that is valid until it is revoked. */
  expiresAt: instant.nullable(),
  /** To the minute; null where it was never used. */
  usedAt: instant.nullable(),
  /** The front part of the network address it was last used from; empty where that is not known. */
  network: z.string(),
  revokedAt: instant.nullable(),
});
export type ApiKey = z.output<typeof apiKey>;

export const listKeys = defineEndpoint({
  method: 'GET',
  path: '/admin/keys',
  who: 'admin',
  permission: 'keys.manage',
  summary: 'API keys of everybody on the team, the newest first. None of them can be read again.',
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
    'Makes an API key that acts for the caller, within these scopes. It is shown in this answer alone.',
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
  summary: 'Ends an API key, from the next call on.',
  input: z.object({ id }),
  output: z.object({ key: apiKey }),
  refusals: ['key.notFound'],
});
